package io.margay.transport.nativeio;

import io.margay.transport.SharedFile;
import java.io.FileDescriptor;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// The number of a file channel's descriptor, which the JDK keeps to itself: needs `--add-opens
/// java.base/sun.nio.ch=ALL-UNNAMED` and the classes of the JDK as they are; otherwise there is
/// none, and files are copied. Tried once. Thread-safe.
final class FileDescriptors {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");
    private static final @Nullable FileDescriptors FOUND = find();

    private final Class<?> channels;
    private final VarHandle descriptor;
    private final MethodHandle number;
    private final MethodHandle begin;
    private final MethodHandle end;

    private FileDescriptors(Class<?> channels, MethodHandles.Lookup inside)
            throws ReflectiveOperationException {
        this.channels = channels;
        descriptor = inside.findVarHandle(channels, "fd", FileDescriptor.class);
        number =
                inside.findStatic(
                        Class.forName("sun.nio.ch.IOUtil"),
                        "fdVal",
                        MethodType.methodType(int.class, FileDescriptor.class));
        begin = inside.findVirtual(channels, "beforeTransfer", MethodType.methodType(int.class));
        end =
                inside.findVirtual(
                        channels,
                        "afterTransfer",
                        MethodType.methodType(void.class, boolean.class, int.class));
    }

    private static @Nullable FileDescriptors find() {
        try {
            Class<?> channels = Class.forName("sun.nio.ch.FileChannelImpl");
            return new FileDescriptors(
                    channels, MethodHandles.privateLookupIn(channels, MethodHandles.lookup()));
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.log(Level.DEBUG, "files are copied, not sent by the kernel", e);
            return null;
        }
    }

    /// A descriptor that stays open, so that its number is no other file's, until this is closed:
    /// who closes the channel meanwhile, be it by the interrupt of a thread that reads it, waits.
    /// To be held by one thread for one system call that does not block.
    record Held(FileDescriptors found, FileChannel file, int thread, int number)
            implements AutoCloseable {
        @Override
        public void close() {
            found.release(file, thread);
        }
    }

    /// The channel's descriptor, or null if there is none.
    static @Nullable Held hold(FileChannel channel) {
        FileDescriptors found = FOUND;
        FileChannel file = SharedFile.opened(channel);
        return found == null || !found.channels.isInstance(file) ? null : found.held(file);
    }

    /// Counts the thread among those in a transfer of the channel, as the JDK's own `transferTo`
    /// does: closing waits for them.
    private @Nullable Held held(FileChannel file) {
        try {
            int thread = (int) begin.invoke(file);
            return new Held(
                    this, file, thread, (int) number.invoke((FileDescriptor) descriptor.get(file)));
        } catch (ClosedChannelException _) {
            return null;
        } catch (Throwable e) {
            throw new IllegalStateException("no descriptor", e);
        }
    }

    private void release(FileChannel file, int thread) {
        try {
            end.invoke(file, true, thread);
        } catch (Throwable e) {
            throw new IllegalStateException("the descriptor is not free", e);
        }
    }
}
