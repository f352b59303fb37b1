package io.margay.gateway.forward;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request without content that the gateway makes on its own, beside a client's: no client reads
/// the response, which is never full. Belongs to whoever works on it.
public abstract class OwnRequest implements Exchange {
    private final RequestHead head;
    private final ExchangeNotes notes = new ExchangeNotes();
    private final FieldList fields = new FieldList();
    private int status = 200;
    private boolean committed;

    protected OwnRequest(RequestHead head) {
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
