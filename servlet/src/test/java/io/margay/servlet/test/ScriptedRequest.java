package io.margay.servlet.test;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.TlsInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// The request of a [ScriptedExchange].
class ScriptedRequest implements ExchangeRequest {
    private static final AtomicLong IDS = new AtomicLong();

    final RequestHead head;
    final ScriptedContent content = new ScriptedContent();
    Map<String, Object> frontEnd = Map.of();
    private final TlsInfo tls;
    private final long id = IDS.incrementAndGet();

    ScriptedRequest(RequestHead head, TlsInfo tls) {
        this.head = head;
        this.tls = tls;
    }

    @Override
    public RequestHead request() {
        return head;
    }

    @Override
    public String scheme() {
        return head.target().scheme();
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
    public int read(byte[] target, int offset, int length) throws IOException {
        return content.read(target, offset, length);
    }

    @Override
    public int poll(byte[] target, int offset, int length) throws IOException {
        return content.poll(target, offset, length);
    }

    @Override
    public boolean inputEnded() {
        return content.ended();
    }

    @Override
    public void onReadable(Runnable task) {
        content.onReadable(task);
    }

    @Override
    public Fields trailers() {
        return content.trailers();
    }
}
