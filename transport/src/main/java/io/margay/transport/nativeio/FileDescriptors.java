package io.margay.transport.nativeio;

import io.margay.transport.SharedFile;
import java.io.FileDescriptor;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// The number of a file channel's descriptor, which the JDK keeps to itself: needs `--add-opens
/// java.base/sun.nio.ch=ALL-UNNAMED` and the classes of the JDK as they are; otherwise there is
/// none, and files are copied. Tried once. Thread-safe.
final class FileDescriptors {
    /// No descriptor.
    static final int NONE = -1;

    private static final System.Logger LOG = System.getLogger("io.margay.transport");
    private static final @Nullable FileDescriptors FOUND = find();

    private final Class<?> channels;
    private final VarHandle descriptor;
    private final MethodHandle number;

    private FileDescriptors(Class<?> channels, VarHandle descriptor, MethodHandle number) {
        this.channels = channels;
        this.descriptor = descriptor;
        this.number = number;
    }

    private static @Nullable FileDescriptors find() {
        try {
            Class<?> channels = Class.forName("sun.nio.ch.FileChannelImpl");
            var inside = MethodHandles.privateLookupIn(channels, MethodHandles.lookup());
            VarHandle descriptor = inside.findVarHandle(channels, "fd", FileDescriptor.class);
            MethodHandle number =
                    inside.findStatic(
                            Class.forName("sun.nio.ch.IOUtil"),
                            "fdVal",
                            MethodType.methodType(int.class, FileDescriptor.class));
            return new FileDescriptors(channels, descriptor, number);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.log(Level.DEBUG, "files are copied, not sent by the kernel", e);
            return null;
        }
    }

    /// The number, or [#NONE].
    static int of(FileChannel channel) {
        FileDescriptors found = FOUND;
        FileChannel file = SharedFile.opened(channel);
        return found == null || !found.channels.isInstance(file) ? NONE : found.number(file);
    }

    private int number(FileChannel file) {
        try {
            return file.isOpen()
                    ? (int) number.invoke((FileDescriptor) descriptor.get(file))
                    : NONE;
        } catch (Throwable e) {
            throw new IllegalStateException("no descriptor", e);
        }
    }
}
