package io.margay.compat.tomcat.rewrite;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import io.margay.servlet.resource.WebResource;
import io.margay.servlet.resource.WebResources;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the rules may know of a request. Confined to the thread that selects what answers.
///
/// @param contextPath of the application that would answer
/// @param files of that application; null = none would
record RewriteRequest(Exchange exchange, String contextPath, @Nullable WebResources files) {
    /// Variables that are fields of the request.
    private static final Map<String, String> FIELDS =
            Map.of(
                    "HTTP_USER_AGENT", "user-agent",
                    "HTTP_REFERER", "referer",
                    "HTTP_COOKIE", "cookie",
                    "HTTP_FORWARDED", "forwarded",
                    "HTTP_PROXY_CONNECTION", "proxy-connection",
                    "HTTP_ACCEPT", "accept");

    private static final String FIELD = "HTTP:";
    private static final String PROPERTY = "ENV:";

    /// Whether a variable is known.
    static boolean knows(String name) {
        return FIELDS.containsKey(name)
                || name.startsWith(FIELD)
                || name.startsWith(PROPERTY)
                || switch (name) {
                    case "HTTP_HOST",
                            "SERVER_NAME",
                            "SERVER_PORT",
                            "SERVER_ADDR",
                            "SERVER_PROTOCOL",
                            "REMOTE_ADDR",
                            "REMOTE_HOST",
                            "REMOTE_PORT",
                            "REQUEST_METHOD",
                            "REQUEST_PATH",
                            "REQUEST_URI",
                            "CONTEXT_PATH",
                            "QUERY_STRING",
                            "THE_REQUEST",
                            "HTTPS" ->
                            true;
                    default -> false;
                };
    }

    /// The value of a variable that is known; empty when the request has none.
    String variable(String name) {
        RequestHead head = exchange.request();
        String field = name.startsWith(FIELD) ? name.substring(FIELD.length()) : FIELDS.get(name);
        if (field != null) {
            return text(head.field(field));
        }
        if (name.startsWith(PROPERTY)) {
            return System.getProperty(name.substring(PROPERTY.length()), "");
        }
        return switch (name) {
            case "HTTP_HOST", "SERVER_NAME" -> host();
            case "SERVER_PORT" -> String.valueOf(port());
            case "SERVER_ADDR" -> address(exchange.local());
            case "SERVER_PROTOCOL" -> head.version().text();
            case "REMOTE_ADDR", "REMOTE_HOST" -> address(exchange.remote());
            case "REMOTE_PORT" ->
                    exchange.remote() instanceof InetSocketAddress inet
                            ? String.valueOf(inet.getPort())
                            : "";
            case "REQUEST_METHOD" -> head.method();
            case "REQUEST_PATH" -> path();
            case "REQUEST_URI" -> head.target().rawPath();
            case "CONTEXT_PATH" -> contextPath;
            case "QUERY_STRING" -> text(head.target().rawQuery());
            case "THE_REQUEST" ->
                    head.method() + " " + head.target().raw() + " " + head.version().text();
            case "HTTPS" -> exchange.secure() ? "on" : "off";
            default -> throw new IllegalStateException(name);
        };
    }

    /// The decoded path within the application.
    String path() {
        return exchange.path().path().substring(contextPath.length());
    }

    /// The name of the host that the request is for.
    String host() {
        return text(Authority.host(exchange.request().target().authority()));
    }

    private int port() {
        String authority = exchange.request().target().authority();
        int said = authority == null ? -1 : Authority.port(authority);
        return said >= 0 ? said : exchange.scheme().equals("https") ? 443 : 80;
    }

    /// A file or folder of the application; null = there is none.
    @Nullable WebResource file(String path) {
        return files == null ? null : files.get(path);
    }

    private static String address(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "";
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
