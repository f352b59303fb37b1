package io.margay.gateway.mirror;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.forward.BackgroundExchange;
import io.margay.gateway.protocol.ClientTarget;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyRulesBuilder;
import io.margay.gateway.proxy.ProxyTarget;
import io.margay.gateway.proxy.ReverseProxy;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeRules;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Answers a route, and has another upstream get copies of its requests. A copy is sent when the
/// client has its response: what the other upstream answers is counted as any member's answers are,
/// and thrown away as it comes, or compared with what the client gets. Thread-safe.
public final class Mirror implements Handler {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final double PERCENT = 100;

    /// What may be sent twice: where answers are compared, others go to the route's own upstream
    /// alone.
    public static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    private final Copies copies;
    private final MirrorConfig config;
    private final Handler route;
    private final ReverseProxy proxy;
    private final Upstream own;
    private final Upstream upstream;
    private final ProxyRules rules;
    private final @Nullable Shadow shadow;
    private final @Nullable Headroom room;
    private final RecordingExchange.Means recording;
    private final LongSupplier nanos;
    private final RandomGenerator random;

    /// The upstreams.
    ///
    /// @param own of the route, which answers clients
    /// @param copies gets copies of their requests
    public record Sides(Upstream own, Upstream copies) {}

    /// The time and chance of mirrors.
    ///
    /// @param nanos the time by which loops have timers
    /// @param random thread-safe
    /// @param load of the processors, from 0 to 1; negative = not known
    public record Means(LongSupplier nanos, RandomGenerator random, DoubleSupplier load) {}

    /// @param copies counts them
    /// @param route answers clients
    /// @param proxy by which copies go
    /// @param to who gets them, and who answers clients
    /// @param rules of the route
    public Mirror(
            Copies copies,
            Handler route,
            ReverseProxy proxy,
            Sides to,
            ProxyRules rules,
            Means means) {
        this.copies = copies;
        config = copies.config();
        this.route = route;
        this.proxy = proxy;
        own = to.own;
        upstream = to.copies;
        shadow = copies.shadow();
        CompareConfig compare = config.compare();
        room =
                compare == null || shadow == null
                        ? null
                        : new Headroom(compare.load(), means.load, means.nanos);
        recording =
                new RecordingExchange.Means(ShadowLimits.defaults().bodyBytesMax(), means.nanos);
        this.rules = ProxyRulesBuilder.builder(rules).upgrade(false).build();
        nanos = means.nanos;
        random = means.random;
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        Exchange answered = exchange;
        if (exchange instanceof DialingExchange client) {
            boolean may = mayBeCopied(client.request());
            Shadow by = shadow;
            if (by != null && by.isRecording()) {
                Fields received = client.notes().fields(client.request().fields());
                client.onEnd(() -> by.record(client.request(), received, client.status()));
            }
            if (may && isDrawn()) {
                if (by == null) {
                    copied(client);
                } else {
                    answered = compared(client, by);
                }
            } else if (by != null && !may) {
                told(client, by);
            }
        }
        route.handle(answered);
    }

    private boolean mayBeCopied(RequestHead request) {
        return request.contentLength() == RequestHead.NO_BODY
                && config.methods().contains(request.method())
                && (shadow == null || SAFE.contains(request.method()))
                && request.field("upgrade") == null;
    }

    private boolean isDrawn() {
        return config.share() == PERCENT || random.nextDouble() * PERCENT < config.share();
    }

    /// Has a copy sent when the client has its response, so that the client does not share the
    /// processors with it; nobody awaits the copy's answer.
    private void copied(DialingExchange client) {
        RequestHead asked = client.request();
        Fields received = client.notes().fields(asked.fields());
        BackgroundExchange copy = copy(client, head(asked, received, null), false);
        ProxyTarget target = new ProxyTarget(upstream, ClientTarget.of(client), rules);
        client.onEnd(() -> {
            if (copies.begin()) {
                copy.onEnd(copies::ended);
                copies.sent();
                send(copy, copy, target);
            }
        });
    }

    /// @param all whether credentials are copied, whatever is configured
    private BackgroundExchange copy(DialingExchange client, RequestHead head, boolean all) {
        BackgroundExchange copy = new BackgroundExchange(client, head);
        ExchangeRules ofHost = client.notes().rules();
        if (ofHost != null) {
            boolean cookies = all || config.credentials() || shadow != null;
            copy.notes().rules(new OfCopy(ofHost, cookies, all || config.credentials()));
        }
        return copy;
    }

    /// @param seen the copy, or what is around it
    private void send(BackgroundExchange copy, DialingExchange seen, ProxyTarget target) {
        try {
            long deadline = nanos.getAsLong() + config.timeout().toNanos();
            copy.begin(() -> ask(copy, seen, target), deadline);
        } catch (RuntimeException e) {
            // The client's own request must go on.
            copy.abort();
            LOG.log(Level.DEBUG, "a request cannot be copied", e);
        }
    }

    private void ask(BackgroundExchange copy, DialingExchange seen, ProxyTarget target) {
        try {
            proxy.ask(seen, copy.carrier().dialer(), target);
        } catch (IOException e) {
            copy.abort();
            LOG.log(Level.DEBUG, "a copy of a request cannot be sent", e);
        }
    }

    // Comparing

    /// What the client gets is watched. Then the other upstream is asked, what it answers is
    /// compared, and where that differs the route's own upstream is asked once more.
    private Exchange compared(DialingExchange client, Shadow by) {
        boolean busy = room != null && !room.isThere();
        if (busy || !copies.begin()) {
            by.leftOut(busy);
            return client;
        }
        RequestHead asked = client.request();
        Fields received = client.notes().fields(asked.fields());
        String target = ClientTarget.of(client);
        BackgroundExchange again = copy(client, asked, true);
        return new RecordingExchange(
                client,
                recording,
                ofOld -> {
                    Shadow.Pairing pairing = pairing(by, asked, received);
                    if (pairing == null) {
                        copies.ended();
                    } else if (room != null && !room.begin()) {
                        copies.ended();
                        by.leftOut(true);
                    } else {
                        RequestHead head = head(asked, received, pairing.cookies());
                        compare(pairing, ofOld, again, copy(again, head, false), target);
                    }
                });
    }

    /// What the other upstream is sent for a client; null = it cannot be compared.
    private Shadow.@Nullable Pairing pairing(Shadow by, RequestHead asked, Fields received) {
        try {
            return by.begin(asked, received, config.credentials());
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "a request cannot be compared", e);
            return null;
        }
    }

    /// Sends the copy, now that the client has its response.
    private void compare(
            Shadow.Pairing pairing,
            SeenAnswer ofOld,
            BackgroundExchange again,
            BackgroundExchange copy,
            String target) {
        Comparison comparison =
                new Comparison(
                        pairing,
                        ofOld,
                        this::ended,
                        then -> {
                            BackgroundExchange repeat = copy(again, again.request(), true);
                            RecordingExchange seen = new RecordingExchange(repeat, recording, then);
                            send(repeat, seen, new ProxyTarget(own, target, rules));
                        });
        RecordingExchange seen = new RecordingExchange(copy, recording, comparison::fresh);
        copies.sent();
        send(copy, seen, new ProxyTarget(upstream, target, rules));
    }

    private void ended() {
        copies.ended();
        if (room != null) {
            room.ended();
        }
    }

    /// What the other upstream does not get may change what it should have known.
    private static void told(DialingExchange client, Shadow by) {
        Fields received = client.notes().fields(client.request().fields());
        client.onEnd(() -> by.oldAlone(received, client.fields()));
    }

    /// What does not concern one connection alone is left to the proxy to leave out.
    ///
    /// @param cookies in place of the client's; null = as is configured
    private RequestHead head(RequestHead asked, Fields received, @Nullable String cookies) {
        Fields.Builder made = new Fields.Builder();
        for (int i = 0; i < received.size(); i++) {
            boolean cookie = received.nameIs(i, "cookie");
            boolean secret =
                    cookie
                            || received.nameIs(i, "authorization")
                            || received.nameIs(i, "proxy-authorization");
            if ((config.credentials() || !secret) && !(cookie && cookies != null)) {
                made.add(received.name(i), received.value(i));
            }
        }
        if (cookies != null && !cookies.isEmpty()) {
            made.add("Cookie", cookies);
        }
        return new RequestHead(
                asked.method(),
                asked.target(),
                HttpVersion.HTTP_1_1,
                made.build(),
                RequestHead.NO_BODY,
                false,
                true);
    }

    /// What the host changes in a copy: no credentials by its rules either, and no error pages.
    private record OfCopy(ExchangeRules ofHost, boolean cookies, boolean credentials)
            implements ExchangeRules {
        @Override
        public boolean isDecided(Exchange exchange) {
            return ofHost.isDecided(exchange);
        }

        @Override
        public void request(Exchange exchange, FieldList fields) {
            ofHost.request(exchange, fields);
            if (!cookies) {
                fields.remove("Cookie");
            }
            if (!credentials) {
                fields.remove("Authorization").remove("Proxy-Authorization");
            }
        }

        @Override
        public void head(Exchange exchange, boolean own) {}

        @Override
        public String variable(Exchange exchange, String name) {
            return ofHost.variable(exchange, name);
        }

        @Override
        public boolean error(Exchange exchange, int status) {
            return false;
        }
    }
}
