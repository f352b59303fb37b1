package io.margay.servlet.test;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.TlsInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// The request of a [ScriptedExchange], whose content comes in the pieces that are put here.
/// Guarded by its own monitor.
abstract class ScriptedRequest implements ExchangeRequest {
    private static final AtomicLong IDS = new AtomicLong();

    final RequestHead head;
    final Deque<byte[]> pieces = new ArrayDeque<>();
    boolean complete = true;
    Fields requestTrailers = Fields.EMPTY;
    IOException inputFailure;
    Runnable readable;
    Map<String, Object> frontEnd = Map.of();

    private final boolean secure;
    private final TlsInfo tls;
    private final long id = IDS.incrementAndGet();

    ScriptedRequest(RequestHead head, byte[] body, boolean secure, TlsInfo tls) {
        this.head = head;
        this.secure = secure;
        this.tls = tls;
        if (body.length > 0) {
            pieces.add(body);
        }
    }

    /// Refuses to work after the end.
    abstract void requireOpen();

    @Override
    public RequestHead request() {
        return head;
    }

    @Override
    public String scheme() {
        return secure ? "https" : "http";
    }

    @Override
    public SocketAddress remote() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 40000);
    }

    @Override
    public SocketAddress local() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);
    }

    @Override
    public TlsInfo tls() {
        return tls;
    }

    @Override
    public long connectionId() {
        return 7;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public long startNanos() {
        return 0;
    }

    @Override
    public Object attribute(String name) {
        return frontEnd.get(name);
    }

    @Override
    public Set<String> attributeNames() {
        return frontEnd.keySet();
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) throws IOException {
        while (true) {
            int count = poll(target, offset, length);
            if (count != 0) {
                return count;
            }
            try {
                wait(10_000);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @Override
    public synchronized int poll(byte[] target, int offset, int length) throws IOException {
        requireOpen();
        if (inputFailure != null) {
            throw inputFailure;
        }
        byte[] piece = pieces.poll();
        if (piece == null) {
            return complete ? -1 : 0;
        }
        int count = Math.min(length, piece.length);
        System.arraycopy(piece, 0, target, offset, count);
        if (count < piece.length) {
            pieces.addFirst(Arrays.copyOfRange(piece, count, piece.length));
        }
        return count;
    }

    @Override
    public synchronized boolean inputEnded() {
        return complete && pieces.isEmpty();
    }

    @Override
    public void onReadable(Runnable task) {
        synchronized (this) {
            if (pieces.isEmpty() && !complete && inputFailure == null) {
                readable = task;
                return;
            }
        }
        task.run();
    }

    @Override
    public synchronized Fields trailers() {
        return requestTrailers;
    }
}
