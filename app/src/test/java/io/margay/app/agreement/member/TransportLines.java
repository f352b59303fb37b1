package io.margay.app.agreement.member;

import java.util.ArrayList;
import java.util.List;

/// Members over Unix sockets, over TLS and over IPv6, and WebSocket to members. Stateless.
final class TransportLines {
    private static final String TLS =
            "SSLProxyEngine On\n"
                    + "SSLProxyVerify require\n"
                    + "SSLProxyCACertificateFile \"@CERT@\"\n";

    /// Each with what asks for it.
    private static final List<List<String>> ROUTES =
            List.of(
                    List.of(
                            "ProxyPass /un unix:@UNIX@|http://localhost/un",
                            "/un/x",
                            "/un",
                            "/un/a%20b?c=d"),
                    List.of("ProxyPass /un/ unix:@UNIX@|http://inner.example:81/", "/un/x?y"),
                    List.of(
                            "<Location /un>\n  ProxyPass unix:@UNIX@|http://localhost/loc\n"
                                    + "</Location>",
                            "/un/x",
                            "/un/%C3%A4"),
                    List.of(
                            "RewriteEngine On\n"
                                    + "RewriteRule ^/un/(.*)$ unix:@UNIX@|http://localhost/r/$1"
                                    + " [P]",
                            "/un/x?y=z"),
                    List.of(
                            "<Proxy balancer://@NAME@u>\n"
                                    + "  BalancerMember unix:@UNIX@|http://localhost/ route=r1\n"
                                    + "</Proxy>\n"
                                    + "ProxyPass /un balancer://@NAME@u/un",
                            "/un/x"),
                    List.of(
                            "ProxyPassMatch \"^/uf/(.*\\.php(/.*)?)$\""
                                    + " \"unix:@FUNIX@|fcgi://localhost/srv/www/$1\"",
                            "/uf/x.php",
                            "/uf/x.php/info?q=1"),
                    List.of(
                            "ProxyPass /uf/ unix:@FUNIX@|fcgi://localhost/srv/www/",
                            "/uf/x.php?q",
                            "/uf/"),
                    List.of(TLS + "ProxyPass /st https://@SECURE@/st", "/st/x", "/st/a%20b?c"),
                    List.of(TLS + "ProxyPass /st/ https://@SECURE@/ nocanon", "/st/x%2Cy?z"),
                    List.of(
                            TLS
                                    + "ProxyPreserveHost On\n"
                                    + "<Location /st>\n  ProxyPass https://@SECURE@/st\n"
                                    + "  ProxyPassReverse https://@SECURE@/st\n</Location>",
                            "/st/x"),
                    List.of(
                            TLS
                                    + "RewriteEngine On\n"
                                    + "RewriteRule ^/st/(.*)$ https://@SECURE@/r/$1 [P,QSA]",
                            "/st/x?y"),
                    List.of(
                            TLS
                                    + "<Proxy balancer://@NAME@s>\n"
                                    + "  BalancerMember https://@SECURE@ route=r1\n"
                                    + "</Proxy>\n"
                                    + "ProxyPass /st balancer://@NAME@s/st",
                            "/st/x"),
                    List.of("ProxyPass /six http://@HTTP6@/six", "/six/x", "/six?a"),
                    List.of("ProxyPass /six ajp://@AJP6@/six", "/six/x"),
                    List.of("ProxyPass /ws ws://@HTTP@/ws", "/ws/x", "/ws/x?y=z"),
                    List.of("ProxyPass /ws http://@HTTP@/ws upgrade=websocket", "/ws/x", "/ws/y"),
                    List.of("ProxyPass /ws http://@HTTP@/ws upgrade=ANY", "/ws/x"),
                    List.of("ProxyPass /ws http://@HTTP@/ws", "/ws/x"),
                    List.of("<Location /ws>\n  ProxyPass ws://@HTTP@/in\n</Location>", "/ws/x"),
                    List.of(
                            "RewriteEngine On\n"
                                    + "RewriteCond %{HTTP:Upgrade} =websocket [NC]\n"
                                    + "RewriteRule ^/ws/(.*)$ ws://@HTTP@/sock/$1 [P,L]\n"
                                    + "ProxyPass /ws http://@HTTP@/plain",
                            "/ws/x?y", "/ws/a%20b"),
                    List.of(TLS + "ProxyPass /ws wss://@SECURE@/ws", "/ws/x"));

    private static final List<String> HANDSHAKE =
            List.of(
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");

    /// Of a host that is reached over TLS.
    private static final String OWN_TLS =
            "SSLEngine On\nSSLCertificateFile \"@CERT@\"\nSSLCertificateKeyFile \"@KEY@\"";

    private TransportLines() {}

    static void tls(Draft draft) {
        draft.add(OWN_TLS);
    }

    /// Adds a route, and requests that it takes.
    static List<MemberProbe> add(Draft draft, int count) {
        List<String> route = draft.any(ROUTES);
        draft.add(route.getFirst());
        draft.targets(route.subList(1, route.size()).toArray(String[]::new));
        List<MemberProbe> probes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean socket = route.get(1).startsWith("/ws") && !draft.one(3);
            probes.add(socket ? socket(draft) : MemberProbes.of(draft));
        }
        return probes;
    }

    /// A request for a WebSocket session.
    static MemberProbe socket(String target, MemberReply reply) {
        return new MemberProbe("GET", target, HANDSHAKE, MemberProbe.UPGRADE, "", false, reply);
    }

    private static MemberProbe socket(Draft draft) {
        List<String> fields = new ArrayList<>(HANDSHAKE);
        if (draft.one(2)) {
            fields.add(draft.any("Sec-WebSocket-Protocol: chat, two", "Origin: http://a.example"));
        }
        if (draft.one(3)) {
            fields.add(draft.any("Cookie: a=hello", "X-One: one", "X-Forwarded-For: 192.0.2.7"));
        }
        MemberReply refused = MemberReply.of(403, "member refuses\n", "Content-Type: text/plain");
        MemberReply taken = MemberReply.of(101, "", "X-One: member");
        return new MemberProbe(
                "GET",
                draft.any(draft.targets()),
                fields,
                MemberProbe.UPGRADE,
                "",
                false,
                draft.one(5) ? refused : taken);
    }
}
