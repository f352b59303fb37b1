package io.margay.server.host;

import io.margay.protocol.http.Authority;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Which handler answers for a host name: the exact name, then the longest `*.suffix`, the longest
/// `prefix.*`, the first expression `~...`, then any. Thread-safe: the table is immutable and is
/// swapped as a whole.
///
/// A request for a host that nobody serves is answered with 421 (RFC 9110 §15.5.20). One that names
/// none, as HTTP/1.0 allows, is answered by the host that TLS was set up for, or by the first.
public final class VirtualHosts implements Handler {
    /// The name that stands for any host.
    public static final String ANY = "*";

    /// What a host named `localhost` answers to, too, where the address is nobody else's.
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "::1", "[::1]");

    private static final Handler UNKNOWN_HOST =
            exchange -> StatusResponse.plain(exchange, 421, "This host is not served here.");

    /// How expressions begin.
    public static final String EXPRESSION = "~";

    private record Table(
            Map<String, Handler> exact,
            Map<String, Handler> suffixes,
            Map<String, Handler> prefixes,
            List<Expression> expressions,
            @Nullable Handler any,
            @Nullable String first) {
        boolean isOfNames() {
            return suffixes.isEmpty() && prefixes.isEmpty() && expressions.isEmpty();
        }
    }

    private record Expression(Predicate<String> takes, Handler handler) {}

    private final Function<String, Predicate<String>> compiler;
    private volatile Table table;

    /// Without expressions.
    public VirtualHosts(Map<String, Handler> hosts) {
        this(
                hosts,
                text -> {
                    throw new IllegalArgumentException("~" + text + " is not a name of a host");
                });
    }

    /// @param compiler makes of an expression what names in lower case are asked with
    public VirtualHosts(Map<String, Handler> hosts, Function<String, Predicate<String>> compiler) {
        this.compiler = compiler;
        table = read(hosts);
    }

    /// Serves other hosts from now on; exchanges that have begun go on as they were.
    public void replace(Map<String, Handler> hosts) {
        table = read(hosts);
    }

    private Table read(Map<String, Handler> hosts) {
        Map<String, Handler> exact = new HashMap<>();
        Map<String, Handler> suffixes = new HashMap<>();
        Map<String, Handler> prefixes = new HashMap<>();
        List<Expression> expressions = new ArrayList<>();
        Handler any = null;
        String first = null;
        for (Map.Entry<String, Handler> host : hosts.entrySet()) {
            String name = host.getKey().toLowerCase(Locale.ROOT);
            if (name.startsWith(EXPRESSION)) {
                String text = host.getKey().substring(EXPRESSION.length());
                expressions.add(new Expression(compiler.apply(text), host.getValue()));
            } else if (name.equals(ANY)) {
                any = host.getValue();
            } else if (name.startsWith("*.")) {
                suffixes.put(name.substring(1), host.getValue());
            } else if (name.endsWith(".*") && name.indexOf('*') == name.length() - 1) {
                prefixes.put(name.substring(0, name.length() - 1), host.getValue());
            } else if (name.isEmpty() || name.indexOf('*') >= 0) {
                throw new IllegalArgumentException(
                        "a host is a name, *.name, name.* or *, not " + host.getKey());
            } else {
                exact.put(name, host.getValue());
                first = first == null ? name : first;
            }
        }
        Handler local = exact.get("localhost");
        if (local != null && any == null) {
            LOOPBACK.forEach(address -> exact.putIfAbsent(address, local));
        }
        // Nobody else has the maps.
        return new Table(exact, suffixes, prefixes, expressions, any, first);
    }

    /// The handler for a host name without port, or null.
    public @Nullable Handler find(@Nullable String host) {
        Table current = table;
        if (host == null || (current.exact.isEmpty() && current.isOfNames())) {
            return current.any;
        }
        String name = host.toLowerCase(Locale.ROOT);
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        Handler handler = current.exact.get(name);
        if (current.isOfNames()) {
            return handler != null ? handler : current.any;
        }
        for (int dot = name.indexOf('.'); handler == null && dot >= 0; ) {
            handler = current.suffixes.get(name.substring(dot));
            dot = name.indexOf('.', dot + 1);
        }
        for (int dot = name.lastIndexOf('.'); handler == null && dot >= 0; ) {
            handler = current.prefixes.get(name.substring(0, dot + 1));
            dot = name.lastIndexOf('.', dot - 1);
        }
        for (int i = 0; handler == null && i < current.expressions.size(); i++) {
            Expression one = current.expressions.get(i);
            handler = one.takes.test(name) ? one.handler : null;
        }
        return handler != null ? handler : current.any;
    }

    /// The handler for the host of a request, or null.
    public @Nullable Handler find(ExchangeRequest request) {
        String host = Authority.host(request.request().target().authority());
        return host == null ? withoutHost(request) : find(host);
    }

    /// What Tomcat calls the default host. A client that names no host does not get to one whose
    /// rules for TLS its connection has not met, nor to another than it has named in the handshake.
    private @Nullable Handler withoutHost(ExchangeRequest request) {
        Table current = table;
        if (current.any != null) {
            return current.any;
        }
        String named = request.handshakeHost();
        String name = named == null ? current.first : named;
        return name != null && request.mayBeFor(name) ? find(name) : null;
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        select(exchange).handle(exchange);
    }

    /// What answers a request; never null, for there is an answer to an unknown host, too.
    public Handler select(ExchangeRequest exchange) {
        Handler handler = find(exchange);
        return handler == null ? UNKNOWN_HOST : handler;
    }
}
