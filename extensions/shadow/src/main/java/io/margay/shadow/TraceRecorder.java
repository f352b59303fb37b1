package io.margay.shadow;

import io.margay.gateway.mirror.ShadowLimits;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.trace.TraceFormat;
import io.margay.protocol.trace.TraceScrub;
import io.margay.protocol.trace.TracedRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/// Writes the requests of clients into a trace, without what nobody may keep. Thread-safe: requests
/// are put into a bounded queue, which a thread that ends when it is empty appends to the file.
final class TraceRecorder {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    private final Path file;
    private final boolean values;
    private final ShadowLimits.Trace limits;
    private final LongSupplier millis;

    // Guarded by this.
    private List<String> waiting = new ArrayList<>();
    private boolean writing;
    private int writers;
    private boolean over;
    private long lost;

    /// Of the file; the writing thread's, or nobody's.
    private long bytes = -1;

    /// @param values whether values of queries are kept
    /// @param millis the time since 1970
    TraceRecorder(Path file, boolean values, ShadowLimits.Trace limits, LongSupplier millis) {
        this.file = file;
        this.values = values;
        this.limits = limits;
        this.millis = millis;
    }

    /// Takes up a request that was answered. Never waits.
    void record(RequestHead asked, Fields received, int status) {
        String target = asked.target().raw();
        String line =
                target.startsWith("/")
                        ? TraceFormat.write(
                                new TracedRequest(
                                        millis.getAsLong(),
                                        asked.method(),
                                        TraceScrub.target(target, values),
                                        status,
                                        TraceScrub.fields(received)))
                        : null;
        synchronized (this) {
            if (line == null || over || waiting.size() >= limits.waitingMax()) {
                lost++;
                return;
            }
            waiting.add(line);
            if (writing) {
                return;
            }
            writing = true;
            writers++;
        }
        Thread.ofVirtual().name("margay-trace").start(this::write);
    }

    /// Requests that are not in the file.
    synchronized long lost() {
        return lost;
    }

    /// Requests, or groups of them, that are not in the file yet.
    synchronized int unwritten() {
        return waiting.size() + writers;
    }

    private void write() {
        append();
        synchronized (this) {
            writers--;
        }
    }

    private void append() {
        try (Writer out = open()) {
            for (List<String> lines = next(); !lines.isEmpty(); lines = next()) {
                for (String line : lines) {
                    if (bytes > limits.bytesMax()) {
                        lose();
                        continue;
                    }
                    out.append(line).append('\n');
                    bytes += line.length() + 1L;
                }
                out.flush(); // The next writer may begin as soon as nothing waits.
            }
        } catch (IOException e) {
            end("it cannot be written: " + e);
        }
        if (bytes > limits.bytesMax()) {
            end("it has " + bytes + " bytes");
        }
    }

    private Writer open() throws IOException {
        if (bytes < 0) {
            bytes = Files.exists(file) ? Files.size(file) : 0;
            if (bytes > 0 && !isTrace()) {
                throw new IOException("there is a file that is not a trace");
            }
        }
        if (bytes == 0) {
            if (!Files.exists(file)) {
                Files.createFile(
                        file,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
            }
            Files.writeString(file, TraceFormat.HEAD + "\n");
            bytes = TraceFormat.HEAD.length() + 1L;
        }
        // As bytes came.
        return Files.newBufferedWriter(
                file, StandardCharsets.ISO_8859_1, StandardOpenOption.APPEND);
    }

    private boolean isTrace() throws IOException {
        byte[] head = (TraceFormat.HEAD + "\n").getBytes(StandardCharsets.US_ASCII);
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(head, in.readNBytes(head.length));
        }
    }

    private synchronized List<String> next() {
        List<String> lines = bytes > limits.bytesMax() ? List.of() : waiting;
        writing = !lines.isEmpty();
        if (writing) {
            waiting = new ArrayList<>();
        }
        return lines;
    }

    private synchronized void lose() {
        lost++;
    }

    private synchronized void end(String why) {
        writing = false;
        if (!over) {
            over = true;
            LOG.log(Level.WARNING, "the trace {0} ends: {1}", file, why);
        }
        lost += waiting.size();
        waiting = new ArrayList<>();
    }
}
