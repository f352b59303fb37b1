package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which peers may say on whose behalf they ask, and in which fields. Immutable.
///
/// Nobody is believed but listed peers; when none is listed, those on this machine.
public record ForwardingRules(
        ProxyMatcher internalProxies,
        ProxyMatcher trustedProxies,
        String addressHeader,
        String proxiesHeader,
        @Nullable String protocolHeader,
        String secureProtocol,
        @Nullable String hostHeader,
        @Nullable String portHeader,
        int plainPort,
        int securePort,
        boolean changeLocalName,
        boolean changeLocalPort,
        boolean requestAttributes,
        boolean lookups) {
    private static final System.Logger LOG = System.getLogger(ForwardingRules.class.getName());
    private static final int HOPS_MAX = 100;
    private static final int PORT_MAX = 65_535;

    public static ForwardingRules of(InitParams params) throws ServletException {
        String internal = params.optional("internalProxies");
        if (internal == null || internal.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "internalProxies is not given, so forwarding fields are trusted from {0} only"
                            + " and not from every private network; list your proxies",
                    ProxyMatcher.LOOPBACK);
        }
        ForwardingRules rules =
                new ForwardingRules(
                        ProxyMatcher.of(params, "internalProxies", ProxyMatcher.THIS_MACHINE),
                        ProxyMatcher.of(params, "trustedProxies", new ProxyMatcher.Nobody()),
                        params.text("remoteIpHeader", "X-Forwarded-For"),
                        params.text("proxiesHeader", "X-Forwarded-By"),
                        named(params, "protocolHeader", "X-Forwarded-Proto"),
                        params.text("protocolHeaderHttpsValue", "https"),
                        named(params, "hostHeader", ""),
                        named(params, "portHeader", ""),
                        (int) params.number("httpServerPort", 80, 1, PORT_MAX),
                        (int) params.number("httpsServerPort", 443, 1, PORT_MAX),
                        params.flag("changeLocalName", false),
                        params.flag("changeLocalPort", false),
                        params.flag("requestAttributesEnabled", true),
                        params.flag("enableLookups", false));
        if (rules.lookups) {
            LOG.log(Level.WARNING, "enableLookups has no effect: names are not looked up");
        }
        params.refuseUnknown();
        return rules;
    }

    private static @Nullable String named(InitParams params, String name, String absent) {
        String value = params.text(name, absent);
        return value.isEmpty() ? null : value;
    }

    boolean believes(@Nullable String peer) {
        return internalProxies.matches(peer) || trustedProxies.matches(peer);
    }

    /// The request as the client sent it, when the peer is believed; else the request without the
    /// fields that only a proxy may write.
    HttpServletRequest apply(HttpServletRequest request) {
        Map<String, List<String>> fields = new HashMap<>();
        String peer = request.getRemoteAddr();
        if (!believes(peer)) {
            for (String name : new String[] {addressHeader, proxiesHeader}) {
                fields.put(lower(name), List.of());
            }
            for (String name : new String[] {protocolHeader, hostHeader, portHeader}) {
                if (name != null) {
                    fields.put(lower(name), List.of());
                }
            }
            return new ForwardedRequest(request, fields, ForwardedRequest.Seen.of(request), this);
        }
        ForwardedRequest.Seen seen = ForwardedRequest.Seen.of(request);
        seen = withAddress(request, seen, peer, fields);
        seen = withProtocol(request, seen);
        seen = withHost(request, seen);
        return new ForwardedRequest(request, fields, seen, this);
    }

    /// Walks from the peer towards the client as far as those on the way are believed.
    private ForwardedRequest.Seen withAddress(
            HttpServletRequest request,
            ForwardedRequest.Seen seen,
            String peer,
            Map<String, List<String>> fields) {
        List<String> hops = pieces(request, addressHeader);
        List<String> proxies = new ArrayList<>();
        if (!internalProxies.matches(peer)) {
            proxies.addFirst(peer);
        }
        String client = null;
        int at = hops.size() - 1;
        for (; at >= 0 && hops.size() - at <= HOPS_MAX; at--) {
            String hop = hops.get(at);
            if (AddressBlock.literal(hop) == null && !trustedProxies.matches(hop)) {
                break;
            }
            client = hop;
            if (internalProxies.matches(hop)) {
                continue;
            }
            if (!trustedProxies.matches(hop)) {
                at--;
                break;
            }
            proxies.addFirst(hop);
        }
        if (client == null) {
            return seen;
        }
        fields.put(lower(addressHeader), joined(hops.subList(0, at + 1)));
        fields.put(lower(proxiesHeader), joined(proxies));
        return seen.withAddress(client);
    }

    private ForwardedRequest.Seen withProtocol(
            HttpServletRequest request, ForwardedRequest.Seen seen) {
        List<String> told = protocolHeader == null ? List.of() : pieces(request, protocolHeader);
        if (told.isEmpty()) {
            return seen;
        }
        boolean secure = told.stream().allMatch(secureProtocol::equalsIgnoreCase);
        int port = secure ? securePort : plainPort;
        List<String> ports = portHeader == null ? List.of() : pieces(request, portHeader);
        if (!ports.isEmpty()) {
            port = portOf(ports.getFirst(), port);
        }
        return seen.withScheme(secure ? "https" : "http", secure, port);
    }

    private ForwardedRequest.Seen withHost(HttpServletRequest request, ForwardedRequest.Seen seen) {
        List<String> told = hostHeader == null ? List.of() : pieces(request, hostHeader);
        if (told.isEmpty()
                || !told.getFirst()
                        .matches(
                                "[A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+\\]|"
                                        + "(?:[A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+\\]):[0-9]{1,5}")) {
            return seen;
        }
        String host = told.getFirst();
        int colon = host.indexOf(':', host.indexOf(']') + 1);
        return colon < 0
                ? seen.withHost(host, seen.port())
                : seen.withHost(
                        host.substring(0, colon),
                        portHeader != null
                                ? seen.port()
                                : portOf(host.substring(colon + 1), seen.port()));
    }

    private static int portOf(String text, int otherwise) {
        if (!text.matches("[0-9]{1,5}")) {
            return otherwise;
        }
        int port = Integer.parseInt(text);
        return port >= 1 && port <= PORT_MAX ? port : otherwise;
    }

    private static List<String> pieces(HttpServletRequest request, String header) {
        List<String> pieces = new ArrayList<>();
        for (String value : Collections.list(request.getHeaders(header))) {
            for (String piece : value.split(",")) {
                if (!piece.isBlank()) {
                    pieces.add(piece.strip());
                }
            }
        }
        return pieces;
    }

    private static List<String> joined(List<String> pieces) {
        return pieces.isEmpty() ? List.of() : List.of(String.join(", ", pieces));
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
