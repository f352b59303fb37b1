package io.margay.app.upgrade;

import io.margay.server.files.OwnerOnly;
import io.margay.server.handover.StateFormat;
import io.margay.server.handover.StateLimits;
import io.margay.server.handover.StateSection;
import io.margay.server.handover.TravellingState;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a process leaves in its work folder for the one that starts after it: the file `state`,
/// which its user alone may read. It is written whole or not at all, and gone once it was read.
/// Used by one thread at a time.
final class KeptState {
    private static final System.Logger LOG = System.getLogger(KeptState.class.getName());

    static final String FILE = "state";

    /// What is older says nothing of what is now; no lease is longer.
    private static final Duration AGE_MAX = Duration.ofHours(1);

    private final Path file;
    private final StateLimits limits;
    private final InstantSource clock;

    KeptState(Path work, StateLimits limits, InstantSource clock) {
        file = work.resolve(FILE);
        this.limits = limits;
        this.clock = clock;
    }

    /// Writes states. What cannot be written is logged, and the file before stays.
    void write(List<TravellingState> states) {
        Path next = file.resolveSibling(FILE + ".new");
        try {
            Map<String, byte[]> sections = sections(states);
            Files.deleteIfExists(next);
            OwnerOnly.createFile(next);
            try (FileOutputStream to = new FileOutputStream(next.toFile())) {
                OutputStream out = new BufferedOutputStream(to);
                StateFormat.write(out, new StateFormat.Content(clock.millis(), sections));
                out.flush();
                to.getFD().sync();
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "{0} cannot be written, so that a process that starts after this one knows"
                            + " nothing of it: {1}",
                    file,
                    e.toString());
        }
    }

    private Map<String, byte[]> sections(List<TravellingState> states) {
        Map<String, byte[]> sections = new LinkedHashMap<>();
        long left = limits.fileBytesMax();
        for (TravellingState each : states) {
            try {
                byte[] section = StateSection.of(each, limits);
                left -= section.length;
                if (left < 0 || sections.size() >= limits.sectionsMax()) {
                    throw new IOException("the file would be too large");
                }
                sections.put(each.name(), section);
            } catch (IOException e) {
                LOG.log(
                        Level.WARNING,
                        "the state \"{0}\" is not kept: {1}",
                        each.name(),
                        e.getMessage());
            }
        }
        return sections;
    }

    /// Has holders take over what the file has of them, if there is one. A damaged or foreign one
    /// is ignored, with a line in the log.
    void restore(List<TravellingState> states) {
        StateFormat.Content content;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            content = StateFormat.read(in, limits);
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} is ignored: {1}", file, e.toString());
            delete();
            return;
        }
        delete();
        long millis = Math.max(0, clock.millis() - content.millis());
        if (millis > AGE_MAX.toMillis()) {
            return;
        }
        for (TravellingState each : states) {
            byte[] section = content.sections().get(each.name());
            if (section != null) {
                boolean _ = StateSection.restore(each, section, Duration.ofMillis(millis));
            }
        }
    }

    private void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the state of the process before", e);
        }
    }
}
