package io.margay.server.host;

import io.margay.protocol.http.Authority;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.Handler;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which handler answers for a host name: the exact name, then the longest `*.suffix`, then any.
/// Thread-safe: the table is immutable and is swapped as a whole.
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

    private record Table(
            Map<String, Handler> exact,
            Map<String, Handler> suffixes,
            @Nullable Handler any,
            @Nullable String first) {}

    private volatile Table table;

    public VirtualHosts(Map<String, Handler> hosts) {
        table = read(hosts);
    }

    /// Serves other hosts from now on; exchanges that have begun go on as they were.
    public void replace(Map<String, Handler> hosts) {
        table = read(hosts);
    }

    private static Table read(Map<String, Handler> hosts) {
        Map<String, Handler> exact = new HashMap<>();
        Map<String, Handler> suffixes = new HashMap<>();
        Handler any = null;
        String first = null;
        for (Map.Entry<String, Handler> host : hosts.entrySet()) {
            String name = host.getKey().toLowerCase(Locale.ROOT);
            if (name.equals(ANY)) {
                any = host.getValue();
            } else if (name.startsWith("*.")) {
                suffixes.put(name.substring(1), host.getValue());
            } else if (name.isEmpty() || name.indexOf('*') >= 0) {
                throw new IllegalArgumentException(
                        "a host is a name, *.name or *, not " + host.getKey());
            } else {
                exact.put(name, host.getValue());
                first = first == null ? name : first;
            }
        }
        Handler local = exact.get("localhost");
        if (local != null && any == null) {
            LOOPBACK.forEach(address -> exact.putIfAbsent(address, local));
        }
        return new Table(exact, suffixes, any, first); // Nobody else has the maps.
    }

    /// The handler for a host name without port, or null.
    public @Nullable Handler find(@Nullable String host) {
        Table current = table;
        if (host == null || (current.exact.isEmpty() && current.suffixes.isEmpty())) {
            return current.any;
        }
        String name = host.toLowerCase(Locale.ROOT);
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        Handler handler = current.exact.get(name);
        if (current.suffixes.isEmpty()) {
            return handler != null ? handler : current.any;
        }
        for (int dot = name.indexOf('.'); handler == null && dot >= 0; ) {
            handler = current.suffixes.get(name.substring(dot));
            dot = name.indexOf('.', dot + 1);
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
