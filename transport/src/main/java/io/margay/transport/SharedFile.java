package io.margay.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/// A file of which any number of connections may be sending parts at a time, by one descriptor: it
/// is open while there are leases. Thread-safe; guarded by its monitor.
public final class SharedFile {
    /// Opens the file for reading.
    @FunctionalInterface
    public interface Opener {
        FileChannel open() throws IOException;
    }

    private final Opener opener;
    private @Nullable FileChannel open;
    private int leases;

    public SharedFile(Opener opener) {
        this.opener = opener;
    }

    /// A channel for one user, to be closed as one that was opened for it alone. It reads at given
    /// positions, and has none itself.
    public synchronized FileChannel lease() throws IOException {
        FileChannel known = open;
        if (known == null || !known.isOpen()) { // Closed by an interrupt of one user's thread.
            known = opener.open();
            open = known;
            leases = 0;
        }
        leases++;
        return new Lease(this, known);
    }

    @SuppressWarnings("ReferenceEquality") // channels have identity
    private synchronized void end(FileChannel leased) throws IOException {
        if (leased == open && --leases == 0) {
            open = null;
            leased.close();
        }
    }

    /// The channel that has the descriptor.
    public static FileChannel opened(FileChannel file) {
        return file instanceof Lease lease ? lease.file : file;
    }

    private static final class Lease extends FileChannel {
        private final SharedFile owner;
        private final FileChannel file;

        Lease(SharedFile owner, FileChannel file) {
            this.owner = owner;
            this.file = file;
        }

        @Override
        protected void implCloseChannel() throws IOException {
            owner.end(file);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target)
                throws IOException {
            return file.transferTo(position, count, target);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        // It has no position of its own, and cannot be written.

        @Override
        public int read(ByteBuffer target) {
            throw new NonReadableChannelException();
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) {
            throw new NonReadableChannelException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer source) {
            throw new NonWritableChannelException();
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            throw new NonWritableChannelException();
        }

        @Override
        public int write(ByteBuffer source, long position) {
            throw new NonWritableChannelException();
        }

        @Override
        public FileChannel truncate(long size) {
            throw new NonWritableChannelException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new NonWritableChannelException();
        }

        @Override
        public void force(boolean metadata) {}

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }
}
