package io.margay.server.http3;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.ConnectionIds;
import io.margay.transport.Dialer;
import io.margay.transport.LeaderTask;
import io.margay.transport.TlsSession;
import io.margay.transport.quic.DatagramLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// What exchanges see of an HTTP/3 connection below them: its loop, its addresses, what TLS has
/// agreed on, and its end. Octets go by streams, so that there is nothing to read or write here.
final class Http3Link implements Connection {
    private final long id = ConnectionIds.next();
    private final DatagramLoop socket;
    private final Http3Connection of;
    private final InetSocketAddress local;
    private volatile InetSocketAddress remote;
    private volatile @Nullable TlsSession tls;

    Http3Link(
            DatagramLoop socket, Http3Connection of, InetSocketAddress remote, InetAddress local) {
        this.socket = socket;
        this.of = of;
        this.remote = remote;
        this.local = new InetSocketAddress(local, socket.address().getPort());
    }

    /// The client was shown to receive at another address.
    void moved(InetSocketAddress to) {
        remote = to;
    }

    /// The address that the client asked, from which it is answered.
    InetAddress asked() {
        return local.getAddress();
    }

    void agreed(TlsSession session) {
        tls = session;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public boolean blocking() {
        return false;
    }

    private static UnsupportedOperationException byStreams() {
        return new UnsupportedOperationException("octets of HTTP/3 go by streams");
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        throw byStreams();
    }

    @Override
    public int write(byte[] source, int offset, int length) {
        throw byStreams();
    }

    @Override
    public boolean flush() {
        return true;
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) {
        throw byStreams();
    }

    @Override
    public boolean await(int operations, long timeoutNanos) {
        throw byStreams();
    }

    @Override
    public void handler(ConnectionHandler next) {
        throw byStreams();
    }

    @Override
    public void interest(int operations) {}

    @Override
    public void execute(Runnable task) {
        socket.execute(task);
    }

    @Override
    public boolean runAsLeader(LeaderTask task) {
        return socket.runAsLeader(task);
    }

    @Override
    public boolean atRoundEnd(Runnable step) {
        return socket.atRoundEnd(step);
    }

    @Override
    public boolean inLoop() {
        return socket.inLoop();
    }

    /// Deadlines are the connection's own affair.
    @Override
    public void deadline(long nanoTime) {}

    @Override
    public void shutdownOutput() {}

    @Override
    public void close() {
        of.closeNow();
    }

    @Override
    public void reset() {
        of.closeNow();
    }

    @Override
    public boolean isClosed() {
        return of.isOver();
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public Dialer dialer() {
        return socket.dialer();
    }

    @Override
    public @Nullable TlsSession tls() {
        return tls;
    }
}
