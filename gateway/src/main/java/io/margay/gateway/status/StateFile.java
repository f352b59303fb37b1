package io.margay.gateway.status;

import io.margay.gateway.balance.Upstream;
import java.io.IOException;
import java.io.StringReader;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/// A file that keeps what was changed by hand, so that it holds after a restart. Only what differs
/// from the configuration is written, by names of upstreams and peers; what is unknown when it is
/// read is left out. Thread-safe: `this` is locked while it is written.
///
/// ```
/// shop.method = BUSYNESS
/// shop/tc1.activation = DISABLED
/// shop.added = http\://10.0.0.9\:8080
/// ```
public final class StateFile {
    private static final System.Logger LOG = System.getLogger(StateFile.class.getName());

    private final Path file;

    public StateFile(Path file) {
        this.file = file;
    }

    /// Applies what the file says, if there is one.
    public synchronized void load(Collection<Upstream> upstreams) {
        Properties read = new Properties();
        try {
            read.load(new StringReader(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException | IllegalArgumentException e) {
            LOG.log(Level.WARNING, file + " cannot be read: the configuration applies", e);
            return;
        }
        Map<String, String> values = new TreeMap<>();
        read.forEach((key, value) -> values.put((String) key, (String) value));
        for (String why : StateValues.apply(upstreams, values)) {
            LOG.log(Level.WARNING, file + ": " + why);
        }
    }

    /// Writes how these upstreams differ from their configuration; of others nothing stays.
    public synchronized void save(Collection<Upstream> upstreams) {
        Map<String, String> differing = StateValues.differing(upstreams);
        StringBuilder text =
                new StringBuilder("# Written by the server: what was changed by hand\n");
        differing.forEach((key, value) -> text.append(quoted(key) + " = " + quoted(value) + "\n"));
        try {
            Path part = file.resolveSibling(file.getFileName() + ".part");
            Files.writeString(part, text.toString(), StandardCharsets.UTF_8);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.log(Level.ERROR, file + " cannot be written: changes last until it ends", e);
        }
    }

    /// As `Properties` reads it.
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean special = "\\:=# !".indexOf(c) >= 0;
            quoted.append(special ? "\\" : "").append(c < ' ' ? '?' : c);
        }
        return quoted.toString();
    }
}
