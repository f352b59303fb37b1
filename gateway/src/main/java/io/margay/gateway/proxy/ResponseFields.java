package io.margay.gateway.proxy;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.protocol.HopByHop;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ResponseHead;
import io.margay.server.exchange.Exchange;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Makes the fields of the response to the client from those of the peer. Stateless.
final class ResponseFields {
    /// In a 503 of a server that cannot look up the session now (see `SessionStore`).
    static final String UNKNOWN_SESSION = "margay-session";

    /// Where a server says how long requests have waited there.
    static final String TIMING = "server-timing";

    private ResponseFields() {}

    /// Adds what the client gets.
    static void put(
            ResponseHead head, Exchange exchange, Peer from, ProxyRules rules, FieldList to) {
        Fields fields = head.fields();
        PeerConfig peer = from.config();
        boolean told = from.upstream().believesQueueTimes();
        if (peer.address().scheme() == PeerScheme.FCGI) {
            exchange.notes().ofProgram();
        }
        HopByHop hops = HopByHop.of(fields);
        for (int i = 0; i < fields.size(); i++) {
            if (hops.takes(fields, i) || isFraming(fields, i, head) || isOurs(fields, i, told)) {
                continue;
            }
            String value = rewritten(fields, i, exchange, peer, rules);
            if (value == null) {
                to.add(fields, i);
            } else {
                to.add(fields.name(i), value);
            }
        }
        String usual = exchange.notes().usualType();
        boolean described = head.status() >= 200 && head.status() != 204 && head.status() != 304;
        if (usual != null && described && !fields.contains("content-type")) {
            to.add("Content-Type", usual);
        }
    }

    /// A length that says nothing of the content that follows, since there is none by the status.
    private static boolean isFraming(Fields fields, int index, ResponseHead head) {
        return head.status() == 204 && fields.nameIs(index, "content-length");
    }

    /// What a server of sessions says to gateways, and to nobody else.
    ///
    /// @param told whether that is also how long requests have waited there
    private static boolean isOurs(Fields fields, int index, boolean told) {
        int length = fields.nameLength(index);
        return (length == UNKNOWN_SESSION.length() && fields.nameIs(index, UNKNOWN_SESSION))
                || (told && length == TIMING.length() && fields.nameIs(index, TIMING));
    }

    /// The value of a field that is another for the client, or null.
    private static @Nullable String rewritten(
            Fields fields, int index, Exchange exchange, PeerConfig peer, ProxyRules rules) {
        if (rules.passForwarded() && peer.address().scheme() == PeerScheme.FCGI) {
            return null; // as in httpd, whose programs say what clients see
        }
        boolean isUrl =
                switch (fields.nameLength(index)) {
                    case 3 -> fields.nameIs(index, "uri");
                    case 8 -> fields.nameIs(index, "location");
                    case 16 -> fields.nameIs(index, "content-location");
                    default -> false;
                };
        if (isUrl) {
            return url(fields.value(index), exchange, peer, rules);
        }
        boolean cookies = !rules.cookieDomains().isEmpty() || !rules.cookiePaths().isEmpty();
        return cookies && fields.nameIs(index, "set-cookie")
                ? cookie(fields.value(index), asked(exchange), rules)
                : null;
    }

    /// The path that sections are about: the one that rules have made, if they have.
    private static String asked(Exchange exchange) {
        String answered = exchange.notes().answered();
        return answered == null ? exchange.path().path() : answered;
    }

    private static String url(String value, Exchange exchange, PeerConfig peer, ProxyRules rules) {
        for (ProxyRules.Replacement rule : rules.reverse()) {
            String from = rule.from();
            boolean anyHost = from.startsWith(ProxyRules.Replacement.ANY_HOST);
            String looked = anyHost ? path(value) : value;
            String begin =
                    anyHost ? from.substring(ProxyRules.Replacement.ANY_HOST.length()) : from;
            if (rule.isFor(asked(exchange))
                    && looked.regionMatches(true, 0, begin, 0, begin.length())) {
                return here(absolute(rule, exchange) + looked.substring(begin.length()));
            }
        }
        boolean own = rules.reverse().isEmpty() && !rules.passForwarded();
        return own ? own(value, exchange, peer) : value;
    }

    /// What a URL has behind its host; a path itself.
    private static String path(String url) {
        int host = url.indexOf("://");
        int slash = host < 0 ? -1 : url.indexOf('/', host + 3);
        return slash < 0 ? url : url.substring(slash);
    }

    /// What takes the place of a URL is a URL as the client sees it.
    private static String absolute(ProxyRules.Replacement rule, Exchange exchange) {
        boolean path = rule.to().startsWith("/") && rule.from().indexOf("//") >= 0;
        return path ? origin(exchange) + rule.to() : rule.to();
    }

    private static String origin(Exchange exchange) {
        String authority = exchange.request().target().authority();
        return authority == null ? "" : exchange.scheme() + "://" + authority;
    }

    /// Without rules, but not as httpd does it: the peer's own address and path are not shown to
    /// the client.
    private static String own(String value, Exchange exchange, PeerConfig peer) {
        String rest = behind(value, RequestFields.authority(peer.address()), peer);
        if (rest == null && peer.tls().serverName() != null) {
            rest = behind(value, RequestFields.named(peer), peer);
        }
        if (rest != null) {
            return origin(exchange) + withoutPath(rest, peer);
        }
        String path = value.startsWith("/") ? withoutPath(value, peer) : value;
        return path.equals(value) ? value : here(path);
    }

    /// A path of this host, which a second slash at its begin would make the name of another
    /// (CVE-2026-25854); what is no path stays.
    private static String here(String made) {
        int from = 0;
        while (from < made.length() && (made.charAt(from) == '/' || made.charAt(from) == '\\')) {
            from++;
        }
        return from > 1 || made.isEmpty() ? "/" + made.substring(from) : made;
    }

    /// The path of a URL of the peer, or null when it is another's.
    private static @Nullable String behind(String value, String authority, PeerConfig peer) {
        String origin = peer.address().scheme().urlScheme() + "://";
        if (value.startsWith(origin) && value.startsWith(authority, origin.length())) {
            String rest = value.substring(origin.length() + authority.length());
            return rest.isEmpty() || rest.charAt(0) == '/' ? rest : null;
        }
        return null;
    }

    private static String withoutPath(String value, PeerConfig peer) {
        String path = peer.path();
        boolean below =
                !path.isEmpty()
                        && value.startsWith(path)
                        && (value.length() == path.length() || value.charAt(path.length()) == '/');
        return below ? value.substring(path.length()) : value;
    }

    private static String cookie(String value, String asked, ProxyRules rules) {
        String[] parts = value.split(";", -1);
        Arrays.setAll(parts, i -> attribute(parts[i], asked, rules));
        return String.join(";", parts);
    }

    private static String attribute(String part, String asked, ProxyRules rules) {
        int equals = part.indexOf('=');
        String name = equals < 0 ? "" : part.substring(0, equals).strip().toLowerCase(Locale.ROOT);
        String value = equals < 0 ? "" : part.substring(equals + 1).strip();
        return switch (name) {
            case "path" -> part.substring(0, equals + 1) + path(value, asked, rules.cookiePaths());
            case "domain" ->
                    part.substring(0, equals + 1) + whole(value, asked, rules.cookieDomains());
            default -> part;
        };
    }

    /// What stands below the path that is replaced is not kept: as in httpd, and since a path of
    /// the client's that is too long would keep the cookie from coming back.
    private static String path(
            String value, String asked, List<ProxyRules.Replacement> replacements) {
        for (ProxyRules.Replacement rule : replacements) {
            if (rule.isFor(asked) && value.startsWith(rule.from())) {
                return rule.to();
            }
        }
        return value;
    }

    private static String whole(
            String value, String asked, List<ProxyRules.Replacement> replacements) {
        for (ProxyRules.Replacement rule : replacements) {
            if (rule.isFor(asked) && value.equalsIgnoreCase(rule.from())) {
                return rule.to();
            }
        }
        return value;
    }
}
