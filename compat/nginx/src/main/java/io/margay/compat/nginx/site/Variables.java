package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxRegex;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Texts with nginx's variables as templates of rules. Immutable.
final class Variables {
    /// `?` where the request has a query.
    static final String IS_ARGS = "nginx.is_args";

    /// `on` where the request came by TLS.
    static final String HTTPS = "nginx.https";

    /// The name of the script that a path stands for, and what stands behind it.
    static final String SCRIPT = "nginx.script";

    static final String PATH_INFO = "nginx.path_info";

    /// The block that a request is for.
    static final String LOCATION = "nginx.location";

    private static final Map<String, String> KNOWN =
            Map.ofEntries(
                    Map.entry("host", "SERVER_NAME"),
                    Map.entry("http_host", "HTTP:Host"),
                    Map.entry("scheme", "REQUEST_SCHEME"),
                    Map.entry("remote_addr", "REMOTE_ADDR"),
                    Map.entry("remote_user", "REMOTE_USER"),
                    Map.entry("server_port", "SERVER_PORT"),
                    Map.entry("request_id", "REQUEST_ID"),
                    Map.entry("request_method", "REQUEST_METHOD"),
                    Map.entry("request_uri", "REQUEST_TARGET"),
                    Map.entry("request", "THE_REQUEST"),
                    Map.entry("uri", "REQUEST_URI"),
                    Map.entry("document_uri", "REQUEST_URI"),
                    Map.entry("fastcgi_script_name", "ENV:" + SCRIPT),
                    Map.entry("fastcgi_path_info", "ENV:" + PATH_INFO),
                    Map.entry("https", "ENV:" + HTTPS),
                    Map.entry("server_protocol", "SERVER_PROTOCOL"),
                    Map.entry("args", "QUERY_STRING"),
                    Map.entry("query_string", "QUERY_STRING"),
                    Map.entry("is_args", "ENV:" + IS_ARGS),
                    Map.entry("content_type", "HTTP:Content-Type"),
                    Map.entry("content_length", "HTTP:Content-Length"),
                    Map.entry("proxy_add_x_forwarded_for", "FORWARDED_FOR"),
                    Map.entry("status", "RESPONSE:"),
                    Map.entry("upstream_cache_status", "CACHE_STATUS"),
                    Map.entry("ssl_protocol", "SSL:SSL_PROTOCOL"),
                    Map.entry("ssl_cipher", "SSL:SSL_CIPHER"),
                    Map.entry("ssl_client_verify", "SSL:SSL_CLIENT_VERIFY"),
                    Map.entry("ssl_client_s_dn", "SSL:SSL_CLIENT_S_DN"),
                    Map.entry("ssl_client_i_dn", "SSL:SSL_CLIENT_I_DN"),
                    Map.entry("ssl_client_serial", "SSL:SSL_CLIENT_M_SERIAL"));

    /// Whether nginx gives a variable its value itself.
    static boolean isBuiltIn(String name) {
        return KNOWN.containsKey(name)
                || Set.of("server_name", "document_root", "realpath_root", "request_filename")
                        .contains(name);
    }

    private final Reading reading;
    private final Map<String, String> literals;

    /// Of which file a request is, where that is known.
    private final @Nullable String file;

    /// @param literals variables that stand for one text in the block, such as `server_name`
    Variables(Reading reading, Map<String, String> literals) {
        this(reading, literals, null);
    }

    private Variables(Reading reading, Map<String, String> literals, @Nullable String file) {
        this.reading = reading;
        this.literals = Map.copyOf(literals);
        this.file = file;
    }

    /// The same where a block has a folder of its own.
    ///
    /// @param folder as it stands in the file
    /// @param ofRequest template of the file that a request is for
    Variables in(String folder, @Nullable String ofRequest) {
        Map<String, String> all = new HashMap<>(literals);
        all.put("document_root", folder);
        all.put("realpath_root", folder);
        return new Variables(reading, all, ofRequest);
    }

    /// The same in a block whose files lie in a `root`, or in one around it.
    Variables in(Scope scope) {
        for (Scope at = scope; at != null; at = at.parent()) {
            String folder = at.word("alias", "");
            if (!at.own("alias").isEmpty()) {
                return in(folder, null);
            }
            if (!at.own("root").isEmpty()) {
                String root = reading.withConstants(at.word("root", "")).replaceFirst("/$", "");
                return isIn(root) ? this : in(root, literal(root) + "%{REQUEST_URI}");
            }
        }
        return this;
    }

    /// That a text cannot be said here.
    static final class Unknown extends Exception {
        private static final long serialVersionUID = 1;

        Unknown(String text) {
            super(text, null, false, false);
        }
    }

    /// Whether a text has variables.
    static boolean isIn(String text) {
        return text.indexOf('$') >= 0;
    }

    /// Text that a template leaves as it is.
    static String literal(String text) {
        StringBuilder made = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' || c == '$' || c == '%') {
                made.append('\\');
            }
            made.append(c);
        }
        return made.toString();
    }

    /// The template of a text.
    String template(String text) throws Unknown {
        return template(text, false);
    }

    /// The same where `$1` is what the rule's own expression found in the path, which is encoded as
    /// a part of a path.
    String template(String text, boolean ofPath) throws Unknown {
        StringBuilder made = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            int dollar = text.indexOf('$', i);
            if (dollar < 0 || dollar == text.length() - 1) {
                if (dollar >= 0) {
                    throw new Unknown("invalid variable name in \"" + text + "\"");
                }
                return made.append(literal(text.substring(i))).toString();
            }
            made.append(literal(text.substring(i, dollar)));
            boolean braces = text.charAt(dollar + 1) == '{';
            int start = dollar + (braces ? 2 : 1);
            int end = start;
            while (end < text.length() && isName(text.charAt(end))) {
                end++;
            }
            if (!braces && end > start && Character.isDigit(text.charAt(start))) {
                end = start + 1;
            }
            if (end == start || (braces && (end == text.length() || text.charAt(end) != '}'))) {
                throw new Unknown("invalid variable name in \"" + text + "\"");
            }
            String name = text.substring(start, end).toLowerCase(Locale.ROOT);
            made.append(ofPath && name.matches("[1-9]") ? "$" + name : value(name));
            i = braces ? end + 1 : end;
        }
        return made.toString();
    }

    private static boolean isName(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_';
    }

    private String value(String name) throws Unknown {
        if (name.equals("request_filename") && file != null) {
            return file;
        }
        String literal = literals.get(name);
        if (literal != null) {
            return literal(literal);
        }
        if (name.length() == 1 && Character.isDigit(name.charAt(0))) {
            return "%{ENV:" + NginxRegex.FOUND + name + "}";
        }
        String known = KNOWN.get(name);
        if (known != null) {
            return "%{" + known + "}";
        }
        if (reading.isDefined(name)) {
            return "%{ENV:" + name + "}";
        }
        for (Map.Entry<String, String> prefix :
                Map.of(
                                "http_",
                                "HTTP:",
                                "cookie_",
                                "COOKIE:",
                                "arg_",
                                "PARAMETER:",
                                "sent_http_",
                                "RESPONSE:",
                                "upstream_http_",
                                "RESPONSE:")
                        .entrySet()) {
            if (name.startsWith(prefix.getKey())) {
                String rest = name.substring(prefix.getKey().length());
                boolean field = Set.of("HTTP:", "RESPONSE:").contains(prefix.getValue());
                return "%{" + prefix.getValue() + (field ? rest.replace('_', '-') : rest) + "}";
            }
        }
        throw new Unknown("the variable $" + name + " is not known here");
    }
}
