package io.margay.gateway.forward;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request without content that the gateway makes on its own, beside a client's: no client reads
/// the response, which is never full. Belongs to whoever works on it.
public abstract class OwnRequest implements Exchange {
    /// What is known of the client, for whom it is not.
    private record Client(
            String scheme,
            boolean secure,
            SocketAddress remote,
            SocketAddress local,
            long connectionId,
            long id,
            String requestId,
            long startNanos) {
        static Client of(DialingExchange exchange) {
            return new Client(
                    exchange.scheme(),
                    exchange.secure(),
                    exchange.remote(),
                    exchange.local(),
                    exchange.connectionId(),
                    exchange.id(),
                    exchange.requestId(),
                    exchange.startNanos());
        }
    }

    private final Client client;
    private final RequestHead head;
    private final ExchangeNotes notes = new ExchangeNotes();
    private final FieldList fields = new FieldList();
    private int status = 200;
    private boolean committed;

    /// @param client of whom addresses and names are taken
    protected OwnRequest(DialingExchange client, RequestHead head) {
        this.client = Client.of(client);
        this.head = head;
    }

    /// The head of the response is complete.
    protected final void commit() {
        committed = true;
    }

    @Override
    public void onReadable(Runnable task) {
        execute(task);
    }

    @Override
    public void onWritable(Runnable task) {
        execute(task);
    }

    @Override
    public RequestHead request() {
        return head;
    }

    @Override
    public String scheme() {
        return client.scheme;
    }

    @Override
    public boolean secure() {
        return client.secure;
    }

    @Override
    public SocketAddress remote() {
        return client.remote;
    }

    @Override
    public SocketAddress local() {
        return client.local;
    }

    @Override
    public long connectionId() {
        return client.connectionId;
    }

    @Override
    public long id() {
        return client.id;
    }

    @Override
    public String requestId() {
        return client.requestId;
    }

    @Override
    public long startNanos() {
        return client.startNanos;
    }

    @Override
    public @Nullable Object attribute(String name) {
        return null;
    }

    @Override
    public int poll(byte[] target, int offset, int length) {
        return -1;
    }

    @Override
    public boolean inputEnded() {
        return true;
    }

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }

    @Override
    public @Nullable String remoteUser() {
        return null;
    }

    @Override
    public ExchangeNotes notes() {
        return notes;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public void status(int code) {
        status = code;
    }

    @Override
    public FieldList fields() {
        return fields;
    }

    @Override
    public boolean committed() {
        return committed;
    }

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void flush() {
        commit();
    }

    @Override
    public void interim(int code, FieldList list) {
        // No client waits for it.
    }

    @Override
    public void trailers(Supplier<FieldList> trailers) {
        // Nobody looks at them.
    }
}
