package io.margay.server.exchange;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestHead;
import io.margay.server.timing.Phases;
import io.margay.server.timing.RequestPhase;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Another exchange, as it is but for its content: what is known of it, the head of its response,
/// and its end. Owned as that one is.
///
/// @param <E> what that one is
public abstract class ExchangeView<E extends Exchange> implements Exchange {
    protected final E real;

    protected ExchangeView(E real) {
        this.real = real;
    }

    @Override
    public int status() {
        return real.status();
    }

    @Override
    public void status(int status) {
        real.status(status);
    }

    @Override
    public FieldList fields() {
        return real.fields();
    }

    @Override
    public void trailers(Supplier<FieldList> trailers) {
        real.trailers(trailers);
    }

    @Override
    public long bytesSent() {
        return real.bytesSent();
    }

    @Override
    public RequestHead request() {
        return real.request();
    }

    @Override
    public CanonicalPath path() {
        return real.path();
    }

    @Override
    public String scheme() {
        return real.scheme();
    }

    @Override
    public boolean secure() {
        return real.secure();
    }

    @Override
    public SocketAddress remote() {
        return real.remote();
    }

    @Override
    public SocketAddress local() {
        return real.local();
    }

    @Override
    public @Nullable TlsInfo tls() {
        return real.tls();
    }

    @Override
    public long connectionId() {
        return real.connectionId();
    }

    @Override
    public long id() {
        return real.id();
    }

    @Override
    public String requestId() {
        return real.requestId();
    }

    @Override
    public Phases phases() {
        return real.phases();
    }

    @Override
    public long micros(RequestPhase phase) {
        return real.micros(phase);
    }

    @Override
    public @Nullable RequestPhase underWay() {
        return real.underWay();
    }

    @Override
    public int attempts() {
        return real.attempts();
    }

    @Override
    public @Nullable Thread worker() {
        return real.worker();
    }

    @Override
    public int headMicros() {
        return real.headMicros();
    }

    @Override
    public long startNanos() {
        return real.startNanos();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return real.attribute(name);
    }

    @Override
    public @Nullable String remoteUser() {
        return real.remoteUser();
    }

    @Override
    public void remoteUser(@Nullable String user) {
        real.remoteUser(user);
    }

    @Override
    public ExchangeNotes notes() {
        return real.notes();
    }

    @Override
    public void abort() {
        real.abort();
    }

    @Override
    public void onEnd(Runnable task) {
        real.onEnd(task);
    }

    @Override
    public void onEnd(ExchangeObserver observer) {
        real.onEnd(observer);
    }

    @Override
    public ExchangeObserver observer() {
        return real.observer();
    }

    @Override
    public @Nullable IOException failure() {
        return real.failure();
    }
}
