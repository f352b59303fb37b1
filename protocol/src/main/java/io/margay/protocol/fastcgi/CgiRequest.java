package io.margay.protocol.fastcgi;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request as a CGI script is told of it (RFC 3875 §4.1). Immutable.
///
/// The path is decoded once, by the same rules that route it. What follows the first `.php` that
/// ends a segment is `PATH_INFO`; a path that ends with `/` gets `index.php`. A client cannot set a
/// parameter that is not its own: names with `_` are left out since they would be taken for others,
/// and `Proxy` is left out since `HTTP_PROXY` means something else to many programs
/// (CVE-2016-5385).
///
/// @param target path and query that the client has asked for, encoded
/// @param path canonical path of the script and what follows it
/// @param query encoded, without `?`; null = none
/// @param root folder of the scripts as the application sees it, without a slash at its end
/// @param remoteAddress the client's
/// @param serverName as the client named the server, without port
/// @param secure whether the client came by TLS
/// @param user authenticated user, or null
/// @param authType how, or null
/// @param extra parameters that the configuration adds; they take the place of others
/// @param known the script, where it is not what the path says; as from httpd, it is not told of
///   credentials unless its environment has them
@RecordBuilder
public record CgiRequest(
        RequestHead head,
        String target,
        CanonicalPath path,
        @Nullable String query,
        String root,
        String remoteAddress,
        int remotePort,
        String serverName,
        String serverAddress,
        int serverPort,
        boolean secure,
        @Nullable String user,
        @Nullable String authType,
        Map<String, String> extra,
        @Nullable CgiScript known) {
    private static final String SUFFIX = ".php";
    private static final String INDEX = "index.php";

    private static final Set<String> NOT_PASSED_ON =
            Set.of(
                    "connection",
                    "content-length",
                    "content-type",
                    "keep-alive",
                    "proxy",
                    "proxy-authorization",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    public CgiRequest {
        extra = Map.copyOf(extra);
    }

    /// Why no script can be asked, or null.
    public @Nullable ProtocolError error() {
        // It also refuses the line feed that has broken php-fpm's own splitting (CVE-2019-11043).
        return path.error();
    }

    /// Where the script's name ends in `path`.
    static int split(String path) {
        int at = path.indexOf(SUFFIX);
        while (at >= 0) {
            int end = at + SUFFIX.length();
            if (end == path.length() || path.charAt(end) == '/') {
                return end;
            }
            at = path.indexOf(SUFFIX, end);
        }
        return path.length();
    }

    /// The parameters; only when there is no [#error].
    public FastCgiParameters parameters() {
        Map<String, String> values = new LinkedHashMap<>();
        fields(values);
        if (known != null && known.only()) {
            told(values, known.parameters());
            return built(values);
        }
        if (known != null) {
            known.environment().forEach(values::putIfAbsent);
        }
        values.put("GATEWAY_INTERFACE", "CGI/1.1");
        values.put("SERVER_SOFTWARE", "Margay");
        values.put("SERVER_PROTOCOL", head.version().text());
        values.put("REQUEST_METHOD", head.method());
        values.put("REQUEST_URI", target);
        values.put("REQUEST_SCHEME", secure ? "https" : "http");
        values.put("QUERY_STRING", query == null ? "" : query);
        values.put("REMOTE_ADDR", remoteAddress);
        values.put("REMOTE_PORT", Integer.toString(remotePort));
        values.put("SERVER_NAME", serverName);
        values.put("SERVER_ADDR", serverAddress);
        values.put("SERVER_PORT", Integer.toString(serverPort));
        if (secure) {
            values.put("HTTPS", "on");
        }
        if (head.contentLength() > 0) {
            values.put("CONTENT_LENGTH", Long.toString(head.contentLength()));
        }
        String type = head.field("content-type");
        if (type != null) {
            values.put("CONTENT_TYPE", type);
        }
        if (user != null) {
            values.put("REMOTE_USER", user);
        }
        if (authType != null) {
            values.put("AUTH_TYPE", authType);
        }
        if (known == null) {
            paths(values);
            values.putAll(extra);
        } else {
            values.putAll(extra);
            values.putAll(known.parameters());
        }
        return built(values);
    }

    /// What is told where nothing else is; the length is that of the content, however it came.
    private void told(Map<String, String> values, Map<String, String> parameters) {
        parameters.forEach((name, value) -> {
            switch (name) {
                case "REMOTE_PORT" + CgiScript.KNOWN ->
                        values.put("REMOTE_PORT", Integer.toString(remotePort));
                case "SERVER_ADDR" + CgiScript.KNOWN -> values.put("SERVER_ADDR", serverAddress);
                default -> {
                    if (value.equals(CgiScript.NOTHING)) {
                        values.remove(name);
                    } else {
                        values.put(name, value);
                    }
                }
            }
        });
        if (head.contentLength() > 0) {
            values.computeIfPresent(
                    "CONTENT_LENGTH", (_, _) -> Long.toString(head.contentLength()));
        }
    }

    private static FastCgiParameters built(Map<String, String> values) {
        FastCgiParameters.Builder builder = new FastCgiParameters.Builder();
        values.forEach((name, value) -> builder.add(octetsOf(name), octetsOf(value)));
        return builder.build();
    }

    private void paths(Map<String, String> values) {
        String whole = path.path();
        int split = split(whole);
        String script = whole.substring(0, split);
        String info = whole.substring(split);
        if (script.endsWith("/")) {
            script += INDEX;
        }
        // PHP, built to mistrust being called directly, wants it.
        values.put("REDIRECT_STATUS", "200");
        values.put("SCRIPT_FILENAME", octets(root + script));
        values.put("SCRIPT_NAME", octets(script));
        values.put("DOCUMENT_URI", octets(script + info));
        values.put("DOCUMENT_ROOT", octets(root));
        if (!info.isEmpty()) {
            values.put("PATH_INFO", octets(info));
            values.put("PATH_TRANSLATED", octets(root + info));
        }
    }

    /// Text as the octets of its UTF-8, one character for each; what may be octets stays.
    private static String octetsOf(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xff) {
                return octets(text);
            }
        }
        return text;
    }

    /// Text as the octets of its UTF-8, one character for each.
    public static String octets(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private void fields(Map<String, String> values) {
        Fields fields = head.fields();
        for (int i = 0; i < fields.size(); i++) {
            String lower = fields.name(i).toLowerCase(Locale.ROOT);
            boolean told = known != null && known.only();
            boolean secret = known != null && !told && lower.equals("authorization");
            boolean passed =
                    !NOT_PASSED_ON.contains(lower) || (told && lower.equals("content-type"));
            if (passed && isPlain(lower) && !secret) {
                String name = "HTTP_" + lower.replace('-', '_').toUpperCase(Locale.ROOT);
                String separator = lower.equals("cookie") ? "; " : ", ";
                values.merge(name, fields.value(i), (a, b) -> a + separator + b);
            }
        }
    }

    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-') {
                return false;
            }
        }
        return true;
    }
}
