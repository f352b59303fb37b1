package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.gateway.plan.HostPlan.LogPlan;
import io.margay.gateway.rules.GatewayRule.Condition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The access logs: `access_log` with `log_format`. Confined to one reading.
record LogReader(Reading reading, Variables variables, Scope server) {
    private static final String COMBINED =
            "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent"
                    + " \"$http_referer\" \"$http_user_agent\"";

    private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(\\w+)\\}|(\\w+))");

    /// What an Apache format has for nginx's variables.
    private static final Map<String, String> KNOWN =
            Map.ofEntries(
                    Map.entry("remote_addr", "%a"),
                    Map.entry("remote_port", "%{remote}p"),
                    Map.entry("remote_user", "%u"),
                    Map.entry("time_local", "%{end:%d/%b/%Y:%H:%M:%S %z}t"),
                    Map.entry("time_iso8601", "%{end:java:yyyy-MM-dd'T'HH:mm:ssXXX}t"),
                    Map.entry("msec", "%{end:sec}t.%{end:msec_frac}t"),
                    Map.entry("request", "%r"),
                    Map.entry("request_method", "%m"),
                    Map.entry("uri", "%U"),
                    Map.entry("document_uri", "%U"),
                    Map.entry("status", "%>s"),
                    Map.entry("body_bytes_sent", "%B"),
                    Map.entry("bytes_sent", "%O"),
                    Map.entry("request_length", "%I"),
                    Map.entry("request_time", "%{s.ms}T"),
                    Map.entry("upstream_connect_time", "%{UPSTREAM_CONNECT_TIME}x"),
                    Map.entry("upstream_header_time", "%{UPSTREAM_HEADER_TIME}x"),
                    Map.entry("upstream_response_time", "%{UPSTREAM_RESPONSE_TIME}x"),
                    Map.entry("request_id", "%L"),
                    Map.entry("host", "%V"),
                    Map.entry("server_port", "%p"),
                    Map.entry("server_addr", "%A"),
                    Map.entry("server_protocol", "%H"),
                    Map.entry("upstream_cache_status", "%{CACHE_STATUS}x"),
                    Map.entry("connection", "%{CONNECTION_ID}x"),
                    Map.entry("ssl_protocol", "%{SSL_PROTOCOL}x"),
                    Map.entry("ssl_cipher", "%{SSL_CIPHER}x"),
                    Map.entry("pid", "%P"));

    /// A log as a line of a file says it.
    private record Said(Path file, String format, List<Condition> when) {}

    /// The logs of some blocks.
    List<LogPlan> logs(List<Scope> scopes) {
        Map<Said, List<Integer>> alike = new LinkedHashMap<>();
        for (Scope scope : scopes) {
            List<NginxNode> nodes = scope.nearest("access_log");
            boolean off = nodes.stream().anyMatch(one -> one.word(0).equals("off"));
            for (NginxNode node : off ? List.<NginxNode>of() : nodes) {
                Said said = said(node);
                if (said != null) {
                    alike.computeIfAbsent(said, _ -> new ArrayList<>()).add(scope.id());
                }
            }
        }
        List<LogPlan> logs = new ArrayList<>();
        alike.forEach((said, ids) -> {
            List<Condition> when =
                    new ArrayList<>(ids.size() == scopes.size() ? List.of() : Conditions.at(ids));
            when.addAll(said.when);
            logs.add(new LogPlan(said.file, said.format, when));
        });
        return logs;
    }

    private @Nullable Said said(NginxNode node) {
        String file = node.word(0);
        if (file.startsWith("syslog:") || Variables.isIn(file) || !file.startsWith("/")) {
            changed(node, "no log is written: only to a file with an absolute name");
            return null;
        }
        String name = "combined";
        List<Condition> when = new ArrayList<>();
        for (String word : node.words().subList(1, node.words().size())) {
            if (word.startsWith("if=")) {
                try {
                    String value = variables.template(word.substring("if=".length()));
                    when.add(Conditions.isNot(value, "^0?$"));
                } catch (Variables.Unknown e) {
                    changed(node, "is written for all requests: " + e.getMessage());
                }
            } else if (word.indexOf('=') < 0 && !word.equals("gzip")) {
                name = word;
            } else if (word.startsWith("gzip")) {
                changed(node, "is not compressed");
            }
        }
        String format = format(name, node);
        return format == null ? null : new Said(Path.of(file), format, when);
    }

    private void changed(NginxNode node, String text) {
        if (!node.isTold()) {
            reading.changed(node, text);
        }
    }

    private @Nullable String format(String name, NginxNode by) {
        if (name.equals("combined")) {
            return translated(COMBINED, by);
        }
        for (Scope at = server; at != null; at = at.parent()) {
            for (NginxNode node : at.own("log_format")) {
                if (node.word(0).equals(name)) {
                    List<String> words = node.words();
                    boolean escapes = words.size() > 1 && words.get(1).startsWith("escape=");
                    if (escapes && !words.get(1).equals("escape=default")) {
                        changed(node, "what clients send is escaped as by default");
                    }
                    return translated(
                            String.join("", words.subList(escapes ? 2 : 1, words.size())), node);
                }
            }
        }
        reading.wrong(by, "unknown log format \"" + name + "\"");
        return null;
    }

    private String translated(String text, NginxNode node) {
        StringBuilder made = new StringBuilder();
        Matcher found = VARIABLE.matcher(text);
        int at = 0;
        while (found.find()) {
            made.append(literal(text.substring(at, found.start())));
            String name = found.group(1) == null ? found.group(2) : found.group(1);
            String directive = directive(name.toLowerCase(Locale.ROOT));
            if (directive == null) {
                changed(node, "$" + name + " is written as -");
            }
            made.append(directive == null ? "-" : directive);
            at = found.end();
        }
        return made.append(literal(text.substring(at))).toString();
    }

    private static String literal(String text) {
        return text.replace("\\", "\\\\")
                .replace("%", "%%")
                .replace("\t", "\\t")
                .replaceAll("\\p{Cntrl}", " ");
    }

    private @Nullable String directive(String name) {
        String known = KNOWN.get(name);
        if (known != null) {
            return known;
        }
        if (name.equals("server_name")) {
            List<NginxNode> names = server.own("server_name");
            return literal(names.isEmpty() ? "-" : names.getFirst().word(0));
        }
        if (name.startsWith("http_")) {
            return "%{" + name.substring("http_".length()).replace('_', '-') + "}i";
        }
        if (name.startsWith("sent_http_")) {
            return "%{" + name.substring("sent_http_".length()).replace('_', '-') + "}o";
        }
        if (name.startsWith("cookie_")) {
            return "%{" + name.substring("cookie_".length()) + "}C";
        }
        return reading.isDefined(name) ? "%{" + name + "}e" : null;
    }
}
