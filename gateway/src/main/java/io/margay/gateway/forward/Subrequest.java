package io.margay.gateway.forward;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeRules;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A request to a service on behalf of a client's, without content, whose response is collected. It
/// tells of the client's method and of the path that routes see, however the client has spelt it.
///
/// Confined to the loop of the client's dialer, until the end has been told.
final class Subrequest extends OwnRequest {
    private final DialingExchange client;
    private final int contentBytesMax;
    private final Consumer<Subrequest> then;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final MemoryBudget.Share held;
    private final List<Runnable> ends = new ArrayList<>();
    private boolean whole;
    private boolean late;
    private boolean over;
    private Dialer.@Nullable Timer timer;

    /// @param fields of the request
    /// @param said fields that are said of the client in place of the usual; null = the usual
    /// @param held what the client makes the server hold by the content of the response
    /// @param then told of the end, on the loop
    Subrequest(
            DialingExchange client,
            Fields fields,
            @Nullable Map<String, String> said,
            int contentBytesMax,
            MemoryBudget.Share held,
            Consumer<Subrequest> then) {
        RequestHead asked = client.request();
        super(
                client,
                new RequestHead(
                        "GET",
                        asked.target(),
                        HttpVersion.HTTP_1_1,
                        fields,
                        RequestHead.NO_BODY,
                        false,
                        true));
        this.client = client;
        this.held = held;
        this.contentBytesMax = contentBytesMax;
        this.then = then;
        String query = asked.target().rawQuery();
        String uri = client.path().encoded() + (query == null ? "" : "?" + query);
        notes().rules(said == null ? new Original(asked.method(), uri) : new Said(said));
    }

    /// Sends a request.
    @FunctionalInterface
    interface Asking {
        void begin() throws IOException;
    }

    /// What a service is told besides the usual.
    private record Original(String method, String uri) implements ExchangeRules {
        @Override
        public void request(Exchange exchange, FieldList list) {
            String authority = exchange.request().target().authority();
            list.set("X-Forwarded-Method", method);
            list.set("X-Forwarded-Uri", uri);
            list.set("X-Original-Method", method);
            list.set("X-Original-URI", uri);
            list.set("X-Original-URL", exchange.scheme() + "://" + authority + uri);
        }

        @Override
        public void head(Exchange exchange, boolean own) {}

        @Override
        public boolean error(Exchange exchange, int status) {
            return false;
        }
    }

    /// The fields that are said, and no others.
    private record Said(Map<String, String> values) implements ExchangeRules {
        @Override
        public void request(Exchange exchange, FieldList list) {
            values.forEach((name, value) -> {
                if (value.isEmpty()) {
                    list.remove(name);
                } else {
                    list.set(name, value);
                }
            });
        }

        @Override
        public void head(Exchange exchange, boolean own) {}

        @Override
        public boolean error(Exchange exchange, int status) {
            return false;
        }
    }

    /// Begins, on the loop.
    ///
    /// @param asking sends it
    /// @param deadlineNanos when the answer must be whole
    void begin(Asking asking, long deadlineNanos) {
        Dialer loop = client.carrier().dialer();
        loop.execute(() -> {
            Dialer.Timer made =
                    loop.timer(() -> {
                        late = true;
                        over(false);
                    });
            made.at(deadlineNanos);
            timer = made;
            client.onEnd(() -> loop.execute(this::clientEnded));
            try {
                asking.begin();
            } catch (IOException e) {
                over(false);
            } catch (RuntimeException | Error e) {
                over(false);
                throw e;
            }
        });
    }

    private void clientEnded() {
        over(false);
        held.release();
    }

    /// Whether the response has come to its end.
    boolean isWhole() {
        return whole;
    }

    /// Whether it has not in time.
    boolean isLate() {
        return late;
    }

    /// The content of the response.
    byte[] content() {
        return content.toByteArray();
    }

    private void over(boolean isWhole) {
        if (!over) {
            over = true;
            whole = isWhole;
            if (timer != null) {
                timer.at(Connection.NEVER);
            }
            ends.forEach(Runnable::run);
            then.accept(this);
        }
    }

    // The request

    @Override
    public @Nullable TlsInfo tls() {
        return client.tls();
    }

    @Override
    public void remoteUser(@Nullable String user) {
        // Nobody knows the user before the service has answered.
    }

    // The response

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        commit();
        if (length > contentBytesMax - content.size() || !held.hold(content.size() + length)) {
            throw new IOException("the answer of a service is larger than " + contentBytesMax);
        }
        content.write(source, offset, length);
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        offer(source, offset, length);
        over(true);
    }

    @Override
    public void end() {
        commit();
        over(true);
    }

    @Override
    public long bytesSent() {
        return content.size();
    }

    @Override
    public void upgrade() throws IOException {
        throw new IOException("a service switches protocols");
    }

    // Its life

    @Override
    public void abort() {
        over(false);
    }

    @Override
    public void execute(Runnable task) {
        client.carrier().dialer().execute(task);
    }

    @Override
    public void onEnd(Runnable task) {
        ends.add(task);
    }

    @Override
    public @Nullable IOException failure() {
        return over && !whole ? new IOException("the service was not heard") : null;
    }

    // What waits has no place on a loop

    @Override
    public int read(byte[] target, int offset, int length) {
        throw waits();
    }

    @Override
    public void write(byte[] source, int offset, int length) {
        throw waits();
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) {
        throw waits();
    }

    @Override
    public void dispatch(Runnable task) {
        throw waits();
    }

    private static IllegalStateException waits() {
        return new IllegalStateException("a loop never waits");
    }
}
