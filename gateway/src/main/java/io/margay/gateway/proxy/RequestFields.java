package io.margay.gateway.proxy;

import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.TlsInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes the fields of a request to a peer from those of the client. Stateless but for what it was
/// configured with; thread-safe.
///
/// Dropped: what concerns one connection, what frames, `Proxy` (httpoxy, CVE-2016-5387), names with
/// an underscore, which some applications take for others with a hyphen, and what only a front end
/// may say, unless a trusted one says it. Fields that tell of TLS are the gateway's, too.
final class RequestFields {
    /// Gateways that call themselves alike and may stand one behind the other.
    private static final int LOOPS_MAX = 8;

    private final String pseudonym;
    private final TrustedFronts trusted;

    /// @param pseudonym this gateway's name in `Via` and `X-Forwarded-Server`
    RequestFields(String pseudonym, TrustedFronts trusted) {
        this.pseudonym = pseudonym;
        this.trusted = trusted;
    }

    /// Whether the request has been here so often that it must be going round (RFC 9110 §7.6.3).
    boolean loops(RequestHead head) {
        Fields received = head.fields();
        int times = 0;
        for (int i = received.indexOf("via", 0); i >= 0; i = received.indexOf("via", i + 1)) {
            for (String hop : received.value(i).split(",")) {
                times += hop.strip().endsWith(" " + pseudonym) ? 1 : 0;
            }
        }
        return times >= LOOPS_MAX;
    }

    /// The fields for a peer.
    ///
    /// @param expect whether `Expect: 100-continue` goes on
    /// @param upgrade whether `Upgrade` goes on
    FieldList of(
            Exchange exchange, PeerConfig peer, ProxyRules rules, boolean expect, boolean upgrade) {
        RequestHead head = exchange.request();
        Fields fields = head.fields();
        HopByHop hops = HopByHop.of(fields);
        boolean believed = trusted.includes(exchange.remote());
        Map<String, TlsFact> tlsFields = rules.tlsFields();
        // A trusted front end that has ended TLS tells of it itself.
        boolean tellsOfTls = !believed || exchange.tls() != null;
        FieldList list = new FieldList();
        list.add("Host", host(exchange, peer, rules));
        String via = null;
        String cookies = null;
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            String ofTls = tlsFields.isEmpty() ? null : tlsField(name, tlsFields);
            if (ofTls != null) {
                boolean meant = Octets.equalsIgnoreCase(ofTls, name) && !hops.takes(name);
                if (!tellsOfTls && meant && tlsFields.get(ofTls) != TlsFact.NONE) {
                    list.add(name, fields.value(i));
                }
            } else if (isVia(name)) {
                via = via == null ? fields.value(i) : via + ", " + fields.value(i);
            } else if (isCookie(name)) {
                cookies = cookies == null ? fields.value(i) : cookies + "; " + fields.value(i);
            } else if (!isOurs(name) && !hops.takes(name) && !isForwarding(name)) {
                list.add(name, fields.value(i));
            }
        }
        if (tellsOfTls) {
            addTls(list, exchange.tls(), tlsFields);
        }
        if (cookies != null && !hops.takes("Cookie")) {
            list.add("Cookie", cookies);
        }
        boolean ruled = exchange.notes().request(exchange, list);
        if (ruled && !(keepsHost(peer, rules) && list.contains("Host"))) {
            list.set("Host", host(exchange, peer, rules));
        }
        String own = head.version().text().substring("HTTP/".length()) + " " + pseudonym;
        list.add("Via", via == null ? own : via + ", " + own);
        // Other protocols than HTTP tell of the client beside the fields.
        boolean beside =
                !peer.address().scheme().isHttp()
                        && !(believed && fields.contains("x-forwarded-for"));
        if (rules.forwarded() && !beside) {
            addForwarded(list, exchange, fields, believed, ruled);
        }
        if (rules.standardForwarded()) {
            list.add("Forwarded", forwarded(exchange, fields, believed));
        }
        if (expect) {
            list.add("Expect", "100-continue");
        }
        if (upgrade) {
            list.add("Connection", "Upgrade");
            list.add("Upgrade", "websocket");
        }
        return list;
    }

    /// The field that tells of TLS for which a field would be taken, or null: a CGI program, and
    /// what is like it, makes no difference between `-` and `_`.
    private static @Nullable String tlsField(String name, Map<String, TlsFact> tlsFields) {
        for (String each : tlsFields.keySet()) {
            if (each.length() == name.length()
                    && Octets.equalsIgnoreCase(each.replace('_', '-'), name.replace('_', '-'))) {
                return each;
            }
        }
        return null;
    }

    private static void addTls(
            FieldList list, @Nullable TlsInfo tls, Map<String, TlsFact> tlsFields) {
        if (tls == null) {
            return;
        }
        tlsFields.forEach((name, fact) -> {
            String value = fact.of(tls);
            if (value != null) {
                list.add(name, value);
            }
        });
    }

    private static boolean isVia(String name) {
        return name.length() == 3 && Octets.equalsIgnoreCase(name, "via");
    }

    /// HTTP/2 may split what must be one line in HTTP/1.1 (RFC 9113 §8.2.3).
    private static boolean isCookie(String name) {
        return name.length() == 6 && Octets.equalsIgnoreCase(name, "cookie");
    }

    /// Whether the gateway itself decides what is said by this field, or drops it.
    private static boolean isOurs(String name) {
        return switch (name.length()) {
                    case 4 -> Octets.equalsIgnoreCase(name, "host");
                    case 5 -> Octets.equalsIgnoreCase(name, "proxy");
                    case 6 -> Octets.equalsIgnoreCase(name, "expect");
                    case 14 -> Octets.equalsIgnoreCase(name, "content-length");
                    default -> false;
                }
                || name.indexOf('_') >= 0;
    }

    private static boolean isForwarding(String name) {
        return switch (name.length()) {
            case 9 ->
                    Octets.equalsIgnoreCase(name, "forwarded")
                            || Octets.equalsIgnoreCase(name, "x-real-ip");
            case 14, 15, 16, 17, 18 ->
                    name.regionMatches(true, 0, "x-forwarded-", 0, "x-forwarded-".length());
            default -> false;
        };
    }

    private static String host(Exchange exchange, PeerConfig peer, ProxyRules rules) {
        String authority = exchange.request().target().authority();
        return keepsHost(peer, rules) && authority != null ? authority : named(peer);
    }

    private static boolean keepsHost(PeerConfig peer, ProxyRules rules) {
        return rules.keepHost() || peer.address().scheme() == PeerScheme.AJP;
    }

    /// What a peer is called in `Host`, by the name that its certificate is for if it has one of
    /// its own.
    static String named(PeerConfig peer) {
        String name = peer.tls().serverName();
        return name != null && peer.address().scheme().isSecure()
                ? authority(peer.address(), name)
                : authority(peer.address());
    }

    /// What a peer is called by its address.
    static String authority(PeerAddress address) {
        if (address.socket() != null) {
            return "localhost";
        }
        return authority(
                address,
                address.host().indexOf(':') >= 0 ? "[" + address.host() + "]" : address.host());
    }

    private static String authority(PeerAddress address, String host) {
        return address.port() == address.scheme().defaultPort() || address.port() == 0
                ? host
                : host + ":" + address.port();
    }

    /// @param ruled whether the host's rules may have said something by these fields
    private void addForwarded(
            FieldList list, Exchange exchange, Fields received, boolean believed, boolean ruled) {
        String authority = exchange.request().target().authority();
        String from = appended(received, "x-forwarded-for", ip(exchange.remote()), believed);
        add(list, "X-Forwarded-For", from, ruled);
        String host = first(received, "x-forwarded-host", believed);
        if (host != null || authority != null) {
            add(list, "X-Forwarded-Host", host != null ? host : String.valueOf(authority), ruled);
        }
        String scheme = first(received, "x-forwarded-proto", believed);
        if (!ruled || !list.contains("X-Forwarded-Proto")) {
            list.add("X-Forwarded-Proto", scheme != null ? scheme : exchange.scheme());
        }
        String server = appended(received, "x-forwarded-server", pseudonym, believed);
        add(list, "X-Forwarded-Server", server, ruled);
    }

    /// What rules have said comes first, as if another front end had.
    private static void add(FieldList list, String name, String value, boolean ruled) {
        String said = ruled ? list.get(name) : null;
        if (said == null) {
            list.add(name, value);
        } else {
            list.set(name, said + ", " + value);
        }
    }

    private static @Nullable String first(Fields received, String name, boolean believed) {
        return believed ? received.get(name) : null;
    }

    private static String appended(Fields received, String name, String own, boolean believed) {
        if (!believed || !received.contains(name)) {
            return own;
        }
        return String.join(", ", received.all(name)) + ", " + own;
    }

    /// One element of RFC 7239 §4, after those of trusted front ends.
    private static String forwarded(Exchange exchange, Fields received, boolean believed) {
        String ip = ip(exchange.remote());
        String node = ip.indexOf(':') >= 0 ? "\"[" + ip + "]\"" : ip;
        String authority = exchange.request().target().authority();
        String own =
                "for="
                        + node
                        + (authority == null ? "" : ";host=\"" + authority + "\"")
                        + ";proto="
                        + exchange.scheme().toLowerCase(Locale.ROOT);
        return appended(received, "forwarded", own, believed);
    }

    private static String ip(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return "unknown";
        }
        InetAddress ip = inet.getAddress();
        if (ip == null) {
            return inet.getHostString();
        }
        String text = ip.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }
}
