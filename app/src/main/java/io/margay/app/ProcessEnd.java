package io.margay.app;

import io.margay.transport.FatalHandler;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Ends the process of a server that has lost a thread which it cannot do without, so that a
/// supervisor starts it again instead of finding it alive and silent. Made beforehand, so that
/// nothing need be allocated when memory is what is missing. Immutable.
public final class ProcessEnd implements FatalHandler {
    /// What the process exits with, as with the JVM's `ExitOnOutOfMemoryError`.
    public static final int CODE = 3;

    private final byte[] line =
            "margay: a thread that the server depends on has died: exit 3\n"
                    .getBytes(StandardCharsets.US_ASCII);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);

    private static byte[] told(Throwable cause) {
        StringBuilder text = new StringBuilder().append(cause).append('\n');
        for (StackTraceElement frame : cause.getStackTrace()) {
            text.append("\tat ").append(frame).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void fatal(Throwable cause) {
        try {
            err.write(line);
            // What it died of may need memory to be told.
            err.write(told(cause));
        } catch (IOException | RuntimeException | Error e) {
            // The exit code says it.
        } finally {
            Runtime.getRuntime().halt(CODE);
        }
    }
}
