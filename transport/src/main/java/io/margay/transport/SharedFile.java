package io.margay.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/// A file of which any number of connections may be sending parts at a time, by one descriptor: it
/// is open while there are leases. Thread-safe; guarded by its monitor.
///
/// The JDK closes a channel when a thread that uses it is interrupted. The others who send the file
/// then go on with another descriptor.
public final class SharedFile {
    /// Opens the file for reading.
    @FunctionalInterface
    public interface Opener {
        FileChannel open() throws IOException;
    }

    private final Opener opener;
    private final Opener reopener;
    private @Nullable FileChannel open;
    private int leases;

    public SharedFile(Opener opener) {
        this(opener, opener);
    }

    /// @param reopener opens the file for those who have sent a part of it: fails where another
    ///   file has taken its place
    public SharedFile(Opener opener, Opener reopener) {
        this.opener = opener;
        this.reopener = reopener;
    }

    /// A channel for one user, to be closed as one that was opened for it alone. It reads at given
    /// positions, and has none itself.
    public synchronized FileChannel lease() throws IOException {
        return new Lease(this, current(opener));
    }

    /// Counts one more user.
    private FileChannel current(Opener by) throws IOException {
        FileChannel known = open;
        if (known == null || !known.isOpen()) { // Closed by an interrupt of one user's thread.
            known = by.open();
            open = known;
            leases = 0;
        }
        leases++;
        return known;
    }

    @SuppressWarnings("ReferenceEquality") // channels have identity
    private synchronized void end(Lease lease) throws IOException {
        FileChannel leased = lease.file;
        if (leased == open && --leases == 0) {
            open = null;
            leased.close();
        }
    }

    /// Gives a user whose channel was closed by another's interrupt one that is open.
    private synchronized FileChannel again(Lease lease) throws IOException {
        if (!lease.isOpen()) {
            throw new ClosedChannelException();
        }
        if (!lease.file.isOpen()) {
            lease.file = current(reopener);
        }
        return lease.file;
    }

    /// The channel that has the descriptor.
    public static FileChannel opened(FileChannel file) {
        return file instanceof Lease lease ? lease.file : file;
    }

    private static final class Lease extends FileChannel {
        private final SharedFile owner;

        /// Written under the owner's monitor.
        private volatile FileChannel file;

        Lease(SharedFile owner, FileChannel file) {
            this.owner = owner;
            this.file = file;
        }

        @Override
        protected void implCloseChannel() throws IOException {
            owner.end(this);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return shared(channel -> channel.read(target, position));
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target)
                throws IOException {
            return shared(channel -> channel.transferTo(position, count, target));
        }

        @Override
        public long size() throws IOException {
            return shared(FileChannel::size);
        }

        /// What is done with the file.
        @FunctionalInterface
        private interface Use<T> {
            T with(FileChannel channel) throws IOException;
        }

        /// Does it again with an open channel where an interrupt of another user has closed this
        /// one: nothing has been done then.
        private <T> T shared(Use<T> use) throws IOException {
            try {
                return use.with(file);
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (ClosedChannelException _) {
                return use.with(owner.again(this));
            }
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
