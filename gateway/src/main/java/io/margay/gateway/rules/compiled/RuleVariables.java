package io.margay.gateway.rules.compiled;

import io.margay.protocol.http.Authority;
import io.margay.server.forwarded.NodeAddress;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The `%{NAME}` of conditions and targets, named as mod_rewrite names them: `REQUEST_URI`,
/// `QUERY_STRING`, `REQUEST_METHOD`, `HTTP_HOST`, `HTTPS` (`on` or `off`), `REQUEST_SCHEME`,
/// `SERVER_NAME`, `SERVER_PORT`, `SERVER_PROTOCOL`, `REMOTE_ADDR` (of IPv6 as `2001:db8::1`),
/// `REMOTE_GROUPS` (the same with all its groups), `REMOTE_USER` (once access has been decided on),
/// `THE_REQUEST`, `HTTP_USER_AGENT`, `HTTP_REFERER`, `HTTP_COOKIE`, `HTTP_ACCEPT`,
/// `HTTP_FORWARDED`, and `HTTP:Field-Name`; `REQUEST_TARGET` is path and query as received,
/// `BEGUN_URI` the path before rules of the host have changed it, `FORWARDED_FOR` all that
/// `X-Forwarded-For` lists, and the client behind it; `COOKIE:NAME` the value of a cookie,
/// `PARAMETER:NAME` that of a parameter of the query, not decoded; `ENV:NAME` is a variable that
/// rules have set, `SSL:NAME` one of mod_ssl's. `SERVER_PORT` is the listener's port, `URL_PORT`
/// that of the URL. `TIME_HOUR` and its like are the time of day. `RESPONSE:Field-Name` is a field
/// of the response, `RESPONSE:` its status. `FILE` is mod_rewrite's `REQUEST_FILENAME`: in sections
/// the path of the file, elsewhere that of the request; `MAPPED_FILE` is that of the file in the
/// changes of a host, and empty for requests that are for none, `MAPPED_NAME` its last part.
/// `RECEIVED_MICROS` is when the request came, in microseconds since 1970, `TAKEN_MICROS` how long
/// ago that is, `REQUEST_ID` what logs and members call it; `CACHE_STATUS` what the cache did of a
/// response, as nginx calls it, such as `HIT`. Stateless.
public final class RuleVariables {
    /// What the cache did.
    static final String CACHE_STATUS = "CACHE_STATUS";

    private static final String COOKIE = "COOKIE:";
    private static final String PARAMETER = "PARAMETER:";

    private static final Set<String> NAMES =
            Set.of(
                    "REQUEST_URI",
                    "REQUEST_TARGET",
                    "BEGUN_URI",
                    "FORWARDED_FOR",
                    "QUERY_STRING",
                    "REQUEST_METHOD",
                    "HTTP_HOST",
                    "HTTPS",
                    "REQUEST_SCHEME",
                    "SERVER_NAME",
                    "SERVER_PORT",
                    "SERVER_PROTOCOL",
                    "URL_PORT",
                    "REMOTE_ADDR",
                    "REMOTE_GROUPS",
                    "REMOTE_USER",
                    "THE_REQUEST",
                    "FILE",
                    "MAPPED_FILE",
                    "MAPPED_NAME",
                    "HTTP_USER_AGENT",
                    "HTTP_REFERER",
                    "HTTP_COOKIE",
                    "HTTP_ACCEPT",
                    "HTTP_FORWARDED",
                    "REQUEST_ID",
                    CACHE_STATUS,
                    "RECEIVED_MICROS",
                    "TAKEN_MICROS");

    /// Begins the name of a field of the response, in what changes responses; alone it is the
    /// status.
    public static final String RESPONSE = "RESPONSE:";

    private static final List<String> TIMES =
            List.of(
                    "TIME_YEAR",
                    "TIME_MON",
                    "TIME_DAY",
                    "TIME_HOUR",
                    "TIME_MIN",
                    "TIME_SEC",
                    "TIME_WDAY",
                    "TIME");

    private RuleVariables() {}

    /// Whether there is such a variable.
    public static boolean isKnown(String name) {
        return NAMES.contains(name)
                || TIMES.contains(name)
                || name.startsWith(RESPONSE)
                || name.startsWith("HTTP:")
                || name.startsWith(COOKIE)
                || name.startsWith(PARAMETER)
                || name.startsWith("ENV:")
                || name.startsWith("SSL:");
    }

    /// Its value, decoded where the request's path is meant; empty where the request has none.
    static String value(String name, RuleRequest request) {
        return switch (name) {
            case "REQUEST_URI" -> request.path();
            case "BEGUN_URI" -> request.begun();
            case "QUERY_STRING" -> orEmpty(request.query());
            case "REQUEST_METHOD" -> request.method();
            case "HTTP_HOST" -> orEmpty(request.authority());
            case "HTTPS" -> request.scheme().equals("https") ? "on" : "off";
            case "REQUEST_SCHEME" -> request.scheme();
            case "SERVER_NAME" -> request.host();
            case "SERVER_PORT" -> Integer.toString(request.localPort());
            case "SERVER_PROTOCOL" -> request.arrival().version().text();
            case "URL_PORT" -> Integer.toString(urlPort(request));
            case "REMOTE_ADDR" -> shortest(request.remote());
            case "REMOTE_GROUPS" -> request.remote();
            case "REMOTE_USER" -> octets(orEmpty(request.user()));
            case "REQUEST_TARGET" -> request.received();
            case "FORWARDED_FOR" -> forwardedFor(request);
            case "THE_REQUEST" ->
                    request.method()
                            + " "
                            + request.received()
                            + " "
                            + request.arrival().version().text();
            case "FILE" -> {
                String file = request.file();
                yield file == null ? request.path() : file;
            }
            case "MAPPED_FILE" -> request.mappedFile();
            case "MAPPED_NAME" -> {
                String file = request.mappedFile();
                yield file.substring(file.lastIndexOf('/') + 1);
            }
            case "HTTP_USER_AGENT" -> field("User-Agent", request);
            case "HTTP_REFERER" -> field("Referer", request);
            case "HTTP_COOKIE" -> field("Cookie", request);
            case "HTTP_ACCEPT" -> field("Accept", request);
            case "HTTP_FORWARDED" -> field("Forwarded", request);
            case "REQUEST_ID" -> request.arrival().requestId();
            case CACHE_STATUS -> request.variables().getOrDefault(CACHE_STATUS, "");
            case "RECEIVED_MICROS" -> Long.toString(request.arrival().receivedMicros());
            case "TAKEN_MICROS" -> Long.toString(request.arrival().takenMicros());
            default -> TIMES.contains(name) ? time(name, request) : prefixed(name, request);
        };
    }

    /// The time of day where this machine is, as mod_rewrite writes it.
    private static String time(String name, RuleRequest request) {
        ZonedDateTime now =
                Instant.EPOCH
                        .plus(request.arrival().receivedMicros(), ChronoUnit.MICROS)
                        .atZone(ZoneId.systemDefault());
        String all = "%1$tY%1$tm%1$td%1$tH%1$tM%1$tS".formatted(now);
        int at = TIMES.indexOf(name);
        return switch (name) {
            case "TIME" -> all;
            case "TIME_YEAR" -> all.substring(0, 4);
            case "TIME_WDAY" -> Integer.toString(now.getDayOfWeek().getValue() % 7);
            default -> all.substring(2 + 2 * at, 4 + 2 * at);
        };
    }

    /// An address as httpd writes it.
    private static String shortest(String address) {
        InetAddress read = address.indexOf(':') < 0 ? null : NodeAddress.literal(address);
        return read == null ? address : NodeAddress.text(read);
    }

    private static int urlPort(RuleRequest request) {
        String authority = request.authority();
        int port = authority == null ? -1 : Authority.port(authority);
        return port >= 0 ? port : request.scheme().equals("https") ? 443 : 80;
    }

    /// A name as fields carry it: UTF-8, each octet a character.
    static String octets(String name) {
        return new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String prefixed(String name, RuleRequest request) {
        if (name.startsWith("HTTP:")) {
            return field(name.substring(5), request);
        }
        if (name.startsWith(COOKIE)) {
            return named(field("Cookie", request), ";", name.substring(COOKIE.length()));
        }
        if (name.startsWith(PARAMETER)) {
            return named(orEmpty(request.query()), "&", name.substring(PARAMETER.length()));
        }
        if (name.startsWith(RESPONSE)) {
            return request.variables().getOrDefault(name, "");
        }
        return name.startsWith("ENV:")
                ? orEmpty(variable(name.substring(4), request))
                : TlsVariables.value(name.substring(4), request.tls());
    }

    /// Whether a variable is one that rules have set, to nothing, too.
    static boolean isSet(String name, RuleRequest request) {
        return name.startsWith("ENV:") && variable(name.substring(4), request) != null;
    }

    /// As in httpd, upper and lower case are the same.
    private static @Nullable String variable(String name, RuleRequest request) {
        String value = request.variables().get(name);
        if (value != null) {
            return value;
        }
        for (Map.Entry<String, String> one : request.variables().entrySet()) {
            if (one.getKey().equalsIgnoreCase(name)) {
                return one.getValue();
            }
        }
        return null;
    }

    private static String forwardedFor(RuleRequest request) {
        List<String> all = new ArrayList<>(request.fields().all("X-Forwarded-For"));
        all.add(shortest(request.remote()));
        return String.join(", ", all);
    }

    /// The value of the first `NAME=VALUE` of several.
    private static String named(String all, String separator, String name) {
        for (String one : all.split(separator, -1)) {
            String part = one.strip();
            if (part.regionMatches(true, 0, name, 0, name.length())
                    && part.startsWith("=", name.length())) {
                return part.substring(name.length() + 1);
            }
        }
        return "";
    }

    private static String field(String name, RuleRequest request) {
        return orEmpty(request.fields().get(name));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
