package io.margay.transport.epoll;

import io.margay.transport.SharedFile;
import java.io.FileDescriptor;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// The number of a file channel's descriptor, which the JDK keeps to itself: needs `--add-opens
/// java.base/sun.nio.ch=ALL-UNNAMED` and the classes of the JDK as they are; otherwise there is
/// none, and files are copied. Tried once. Thread-safe.
///
/// A record, since the JIT compiler takes its components for constants and compiles the calls as if
/// they were direct.
///
/// @param channels the class of the channels that have a descriptor
/// @param number of a channel: `(FileChannel)int`
/// @param begin counts the calling thread among those in a transfer: `(FileChannel)int`
/// @param end the transfer is over: `(FileChannel,boolean,int)void`
record FileDescriptors(
        Class<?> channels, MethodHandle number, MethodHandle begin, MethodHandle end) {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");
    private static final @Nullable FileDescriptors FOUND = find();

    private static FileDescriptors of(Class<?> channels, MethodHandles.Lookup inside)
            throws ReflectiveOperationException {
        MethodHandle descriptor = inside.findGetter(channels, "fd", FileDescriptor.class);
        MethodHandle value =
                inside.findStatic(
                        Class.forName("sun.nio.ch.IOUtil"),
                        "fdVal",
                        MethodType.methodType(int.class, FileDescriptor.class));
        MethodHandle begin =
                inside.findVirtual(channels, "beforeTransfer", MethodType.methodType(int.class));
        MethodHandle end =
                inside.findVirtual(
                        channels,
                        "afterTransfer",
                        MethodType.methodType(void.class, boolean.class, int.class));
        MethodType ofFile = MethodType.methodType(int.class, FileChannel.class);
        return new FileDescriptors(
                channels,
                MethodHandles.filterReturnValue(descriptor, value).asType(ofFile),
                begin.asType(ofFile),
                end.asType(
                        MethodType.methodType(
                                void.class, FileChannel.class, boolean.class, int.class)));
    }

    private static @Nullable FileDescriptors find() {
        try {
            Class<?> channels = Class.forName("sun.nio.ch.FileChannelImpl");
            return of(channels, MethodHandles.privateLookupIn(channels, MethodHandles.lookup()));
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.log(Level.DEBUG, "files are copied, not sent by the kernel", e);
            return null;
        }
    }

    /// A descriptor that stays open, so that its number is no other file's, until this is closed:
    /// who closes the channel meanwhile, be it by the interrupt of a thread that reads it, waits.
    /// To be held by one thread for one system call that does not block.
    record Held(FileChannel file, int thread, int number) implements AutoCloseable {
        @Override
        public void close() {
            FileDescriptors found = FOUND;
            if (found != null) { // Always, or nothing would be held.
                found.release(file, thread);
            }
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
            int thread = (int) begin.invokeExact(file);
            return new Held(file, thread, (int) number.invokeExact(file));
        } catch (ClosedChannelException _) {
            return null;
        } catch (Throwable e) {
            throw new IllegalStateException("no descriptor", e);
        }
    }

    private void release(FileChannel file, int thread) {
        try {
            end.invokeExact(file, true, thread);
        } catch (Throwable e) {
            throw new IllegalStateException("the descriptor is not free", e);
        }
    }
}
