package io.margay.gateway.proxy;

import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.peer.LoopConnections;
import io.margay.gateway.protocol.AddressText;
import io.margay.gateway.protocol.HopByHop;
import io.margay.protocol.http.Authority;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Relay;
import io.margay.server.exchange.RequestId;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.forwarded.Networks;
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
/// may say, unless a trusted one says it or the rule passes it on as httpd does. Fields that tell
/// of TLS are the gateway's, too.
final class RequestFields {
    /// Gateways that call themselves alike and may stand one behind the other.
    private static final int LOOPS_MAX = 8;

    /// The client's address where its connection has none (RFC 7239 §6.3).
    private static final String NO_ADDRESS = "unknown";

    private static final int FORWARDS_DIGITS = 6;

    private static final int VIA_OF_HTTP_11 = 0;
    private static final int SERVER = 1;
    private static final int PROTO_HTTP = 2;
    private static final int PROTO_HTTPS = 3;

    private final String pseudonym;
    private final @Nullable String server;
    private final Networks trusted;

    /// Lines that are the same for nearly all requests, at the indices above.
    private final Fields usual;

    /// @param pseudonym this gateway's name in `Via` and `X-Forwarded-Server`
    /// @param server what `X-Forwarded-Server` says where it is said as httpd says it; null = the
    ///   name by which the client has asked
    RequestFields(String pseudonym, @Nullable String server, Networks trusted) {
        this.pseudonym = pseudonym;
        this.server = server;
        this.trusted = trusted;
        usual =
                new Fields.Builder()
                        .add("Via", via(HttpVersion.HTTP_1_1, pseudonym))
                        .add("X-Forwarded-Server", pseudonym)
                        .add("X-Forwarded-Proto", "http")
                        .add("X-Forwarded-Proto", "https")
                        .build();
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
    /// @param loop where the request is worked on
    /// @param expect whether `Expect: 100-continue` goes on
    /// @param upgrade whether `Upgrade` goes on
    FieldList of(
            Exchange exchange,
            LoopConnections loop,
            PeerConfig peer,
            ProxyRules rules,
            boolean expect,
            boolean upgrade) {
        RequestHead head = exchange.request();
        Fields fields = exchange.notes().fields(head.fields());
        HopByHop hops = HopByHop.of(fields);
        boolean believed = exchange.notes().isTold() || trusted.includes(exchange.remote());
        Map<String, TlsAttribute> tlsFields = rules.tlsFields();
        // A trusted front end that has ended TLS tells of it itself.
        boolean tellsOfTls = !believed || exchange.tls() != null;
        FieldList list = new FieldList();
        list.add("Host", host(exchange, peer, rules));
        String via = null;
        String cookies = null;
        for (int i = 0; i < fields.size(); i++) {
            String ofTls = tlsFields.isEmpty() ? null : tlsField(fields.name(i), tlsFields);
            if (ofTls != null) {
                boolean meant = fields.nameIs(i, ofTls) && !hops.takes(fields, i);
                if (!tellsOfTls && meant && tlsFields.get(ofTls) != TlsAttribute.NONE) {
                    list.add(fields, i);
                }
            } else if (fields.nameIs(i, "via")) {
                via = via == null ? fields.value(i) : via + ", " + fields.value(i);
            } else if (fields.nameIs(i, "cookie")) {
                // HTTP/2 may split what must be one line in HTTP/1.1 (RFC 9113 §8.2.3).
                cookies = cookies == null ? fields.value(i) : cookies + "; " + fields.value(i);
            } else if ((!isOurs(fields, i) || isOfLogin(exchange, fields, i))
                    && !hops.takes(fields, i)
                    && !isForwarding(fields, i, believed, rules)) {
                if (peer.address().scheme() == PeerScheme.FCGI && fields.nameHolds(i, '_')) {
                    // To a program both are the same variable; one with `_` is not passed on.
                    list.add(fields.name(i).replace('_', '-'), fields.value(i));
                } else {
                    list.add(fields, i);
                }
            }
        }
        if (tellsOfTls) {
            addTls(list, exchange.tls(), tlsFields);
        }
        if (cookies != null && !hops.nominates("cookie")) {
            list.add("Cookie", cookies);
        }
        addRequestId(list, exchange, fields, believed, rules.passForwarded());
        Changed changed = change(list, exchange, peer, rules);
        if (!isProgram(peer, rules)) {
            addVia(list, via, head.version());
        } else if (via != null) {
            list.add("Via", via);
        }
        tell(list, exchange, loop, peer, rules, fields, believed, changed);
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
        tellObserver(exchange, list);
        return list;
    }

    /// What rules have made of a request.
    ///
    /// @param ruled whether there are some
    /// @param host what is in `Host` after them, whatever the peer gets
    private record Changed(boolean ruled, @Nullable String host) {
        /// Where the peer is not told what httpd tells, nobody asks for the host.
        private static final Changed RULED = new Changed(true, null);

        private static final Changed NOTHING = new Changed(false, null);
    }

    /// Gives the client's host its say. Where it is httpd's, it changes the client's `Host`.
    private static Changed change(
            FieldList list, Exchange exchange, PeerConfig peer, ProxyRules rules) {
        String authority = exchange.request().target().authority();
        if (rules.passForwarded() && authority != null) {
            list.set("Host", authority);
        }
        boolean ruled = exchange.notes().request(exchange, list);
        String host = list.get("Host");
        if ((ruled || rules.passForwarded()) && !(keepsHost(peer, rules) && host != null)) {
            list.set("Host", host(exchange, peer, rules));
        }
        if (!rules.passForwarded()) {
            return ruled ? Changed.RULED : Changed.NOTHING;
        }
        return new Changed(ruled, host);
    }

    private static void tellObserver(Exchange exchange, FieldList list) {
        Relay to = exchange.relay();
        if (to != null) {
            exchange.observer().attempt(exchange, to, list);
        }
    }

    /// One less in `Max-Forwards`, as mod_proxy has it for every method.
    private static void countForward(FieldList list) {
        String left = list.get("Max-Forwards");
        if (left != null && left.length() <= FORWARDS_DIGITS && isNumber(left)) {
            list.set("Max-Forwards", String.valueOf(Math.max(0, Integer.parseInt(left) - 1)));
        }
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /// What the member's log is to call the request, too.
    ///
    /// @param keeps whether a client's own goes on, whoever it is
    private void addRequestId(
            FieldList list, Exchange exchange, Fields received, boolean believed, boolean keeps) {
        if (believed) {
            exchange.notes().requestId(received.get(RequestId.FIELD));
        }
        if (!keeps || !list.contains(RequestId.FIELD)) {
            list.set(RequestId.FIELD, exchange.requestId());
        }
    }

    /// Adds what tells a peer of the client.
    ///
    /// @param changed what the host's rules may have said by these fields
    private void tell(
            FieldList list,
            Exchange exchange,
            LoopConnections loop,
            PeerConfig peer,
            ProxyRules rules,
            Fields received,
            boolean believed,
            Changed changed) {
        boolean passes = rules.passForwarded();
        if (rules.isOfModProxy()) {
            countForward(list);
        }
        // Other protocols than HTTP tell of the client beside the fields.
        boolean beside =
                !peer.address().scheme().isHttp()
                        && (passes || !believed || !received.contains("x-forwarded-for"));
        if (!rules.forwarded() || beside || isProgram(peer, rules)) {
            return;
        }
        if (passes) {
            appendForwarded(list, exchange, changed.host);
        } else if (believed || changed.ruled) {
            addForwarded(list, exchange, received, believed, changed.ruled);
        } else {
            addForwarded(list, exchange, loop);
        }
    }

    /// @param received what other gateways have said, or null
    private void addVia(FieldList list, @Nullable String received, HttpVersion version) {
        if (received != null) {
            list.add("Via", received + ", " + via(version, pseudonym));
        } else if (version == HttpVersion.HTTP_1_1) {
            list.add(usual, VIA_OF_HTTP_11);
        } else {
            list.add("Via", via(version, pseudonym));
        }
    }

    private static String via(HttpVersion version, String pseudonym) {
        return version.text().substring("HTTP/".length()) + " " + pseudonym;
    }

    /// The field that tells of TLS for which a field would be taken, or null: a CGI program, and
    /// what is like it, makes no difference between `-` and `_`.
    private static @Nullable String tlsField(String name, Map<String, TlsAttribute> tlsFields) {
        for (String each : tlsFields.keySet()) {
            if (each.length() == name.length()
                    && Octets.equalsIgnoreCase(each.replace('_', '-'), name.replace('_', '-'))) {
                return each;
            }
        }
        return null;
    }

    private static void addTls(
            FieldList list, @Nullable TlsInfo tls, Map<String, TlsAttribute> tlsFields) {
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

    /// Whether the gateway itself decides what is said by this field, or drops it.
    private static boolean isOurs(Fields fields, int index) {
        return switch (fields.nameLength(index)) {
                    case 4 -> fields.nameIs(index, "host");
                    case 5 -> fields.nameIs(index, "proxy");
                    case 6 -> fields.nameIs(index, "expect");
                    case 14 -> fields.nameIs(index, "content-length");
                    default -> false;
                }
                || fields.nameHolds(index, '_');
    }

    /// Whether it was put here, with an underscore in its name: clients' own are gone by now.
    private static boolean isOfLogin(Exchange exchange, Fields fields, int index) {
        return fields.nameHolds(index, '_') && exchange.notes().isReserved(fields.name(index));
    }

    private static boolean isRequestId(Fields fields, int index) {
        return fields.nameLength(index) == RequestId.FIELD.length()
                && fields.nameIs(index, "x-request-id");
    }

    /// Whether the field tells of the client, and not a trusted front end says so: of its fields
    /// only those are dropped that are added anew.
    private static boolean isForwarding(
            Fields fields, int index, boolean believed, ProxyRules rules) {
        if (rules.passForwarded()) {
            return rules.standardForwarded() && fields.nameIs(index, "forwarded");
        }
        boolean anew =
                switch (fields.nameLength(index)) {
                    case 9 ->
                            fields.nameIs(index, "forwarded") || fields.nameIs(index, "x-real-ip");
                    case 15 -> fields.nameIs(index, "x-forwarded-for");
                    case 16 -> fields.nameIs(index, "x-forwarded-host");
                    case 17 -> fields.nameIs(index, "x-forwarded-proto");
                    case 18 -> fields.nameIs(index, "x-forwarded-server");
                    default -> false;
                };
        return anew || (!believed && fields.nameBegins(index, "x-forwarded-"));
    }

    /// The trailers for a peer, which may take them for fields of the head.
    static FieldList trailers(Exchange exchange, ProxyRules rules) {
        Fields received = exchange.trailers();
        FieldList list = new FieldList();
        if (received.size() == 0) {
            return list;
        }
        HopByHop hops = HopByHop.of(exchange.request().fields());
        for (int i = 0; i < received.size(); i++) {
            if (!isOurs(received, i)
                    && !isRequestId(received, i)
                    && !exchange.notes().isReserved(received.name(i))
                    && !hops.takes(received, i)
                    && tlsField(received.name(i), rules.tlsFields()) == null) {
                list.add(received, i);
            }
        }
        return list;
    }

    private static String host(Exchange exchange, PeerConfig peer, ProxyRules rules) {
        String authority = exchange.request().target().authority();
        return keepsHost(peer, rules) && authority != null ? authority : named(peer);
    }

    private static boolean keepsHost(PeerConfig peer, ProxyRules rules) {
        return rules.keepHost()
                || peer.address().scheme() == PeerScheme.AJP
                || isProgram(peer, rules);
    }

    /// Whether it is a program that is told of requests as httpd tells it: of what the client has
    /// sent, and nothing else by fields.
    private static boolean isProgram(PeerConfig peer, ProxyRules rules) {
        return rules.passForwarded() && peer.address().scheme() == PeerScheme.FCGI;
    }

    /// What a peer is called in `Host`, by the name that its certificate is for if it has one of
    /// its own.
    static String named(PeerConfig peer) {
        String name = peer.tls().serverName();
        if (name != null && peer.address().socket() != null) {
            return name;
        }
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

    /// What is said of a client after what others have said, as httpd says it.
    private void appendForwarded(FieldList list, Exchange exchange, @Nullable String authority) {
        append(list, "X-Forwarded-For", ip(exchange.remote()));
        if (authority != null) {
            append(list, "X-Forwarded-Host", authority);
        }
        String asked = Authority.host(exchange.request().target().authority());
        append(
                list,
                "X-Forwarded-Server",
                server != null ? server : asked != null ? asked : pseudonym);
    }

    private static void append(FieldList list, String name, String value) {
        String said = String.join(", ", list.all(name));
        list.set(name, said.isEmpty() ? value : said + ", " + value);
    }

    /// What is said of a client where nobody else has a say.
    private void addForwarded(FieldList list, Exchange exchange, LoopConnections loop) {
        String authority = exchange.request().target().authority();
        list.add("X-Forwarded-For", loop.addresses().of(exchange.remote(), NO_ADDRESS));
        if (authority != null) {
            list.add("X-Forwarded-Host", authority);
        }
        list.add(usual, exchange.scheme().equals("https") ? PROTO_HTTPS : PROTO_HTTP);
        list.add(usual, SERVER);
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
        return address instanceof InetSocketAddress inet ? AddressText.of(inet) : NO_ADDRESS;
    }
}
