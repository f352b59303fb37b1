package io.margay.gateway.limit;

import io.margay.server.exchange.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/// Content of a response that is to be sent later, in its order. Owned as its exchange is, but for
/// [#close].
final class HeldContent {
    private final MemoryBudget memory;
    private final AtomicLong counted = new AtomicLong();
    private final ArrayDeque<Part> parts = new ArrayDeque<>(1);
    private long bytes;

    HeldContent(MemoryBudget memory) {
        this.memory = memory;
    }

    private sealed interface Part {}

    /// @param isCopy whether it counts as memory
    private record Bytes(ByteBuffer left, boolean isCopy) implements Part {}

    private static final class FilePart implements Part {
        private final FileChannel file;
        private long position;
        private long left;

        FilePart(FileChannel file, long position, long left) {
            this.file = file;
            this.position = position;
            this.left = left;
        }
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /// Bytes in memory.
    long bytes() {
        return bytes;
    }

    /// Holds a copy.
    ///
    /// @return false when there is no memory for it; then nothing is held
    boolean add(byte[] source, int offset, int length) {
        if (!memory.take(length)) {
            return false;
        }
        counted.addAndGet(length);
        add(ByteBuffer.allocate(length).put(source, offset, length).flip(), true);
        return true;
    }

    /// Holds bytes that nobody changes.
    void addConstant(byte[] source, int offset, int length) {
        add(ByteBuffer.wrap(source, offset, length), false);
    }

    private void add(ByteBuffer part, boolean isCopy) {
        if (part.hasRemaining()) {
            parts.add(new Bytes(part, isCopy));
            bytes += part.remaining();
        }
    }

    /// Holds a part of a file, which is closed once that has been taken.
    void add(FileChannel file, long position, long count) {
        if (count == 0) {
            close(file);
        } else {
            parts.add(new FilePart(file, position, count));
        }
    }

    /// Takes what is next.
    ///
    /// @return how many bytes, at most `max`
    int take(byte[] target, int max) throws IOException {
        return switch (parts.element()) {
            case Bytes(ByteBuffer left, boolean isCopy) -> {
                int count = Math.min(max, left.remaining());
                left.get(target, 0, count);
                bytes -= count;
                if (isCopy) {
                    give(count);
                }
                if (!left.hasRemaining()) {
                    parts.remove();
                }
                yield count;
            }
            case FilePart part -> {
                ByteBuffer into = ByteBuffer.wrap(target, 0, (int) Math.min(max, part.left));
                int count = part.file.read(into, part.position);
                if (count <= 0) {
                    throw new IOException("the file has become shorter");
                }
                part.position += count;
                part.left -= count;
                if (part.left == 0) {
                    parts.remove();
                    close(part.file);
                }
                yield count;
            }
        };
    }

    private void give(long count) {
        long was = counted.getAndUpdate(now -> Math.max(0, now - count));
        memory.give(Math.min(was, count));
    }

    /// Nothing more is taken: the exchange is over. Any thread.
    void close() {
        give(Long.MAX_VALUE);
        for (Part part : parts) {
            if (part instanceof FilePart of) {
                close(of.file);
            }
        }
    }

    private static void close(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            System.getLogger(HeldContent.class.getName())
                    .log(System.Logger.Level.DEBUG, "closing a file failed", e);
        }
    }
}
