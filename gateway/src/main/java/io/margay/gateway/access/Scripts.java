package io.margay.gateway.access;

import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.fastcgi.CgiRequest;
import io.margay.protocol.fastcgi.CgiScript;
import io.margay.protocol.http.Authority;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.PercentEncoding;
import io.margay.server.exchange.TlsInfo;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What programs are told of the files that they run, as mod_proxy_fcgi tells them. Immutable.
///
/// @param rules of the host
/// @param folders what the host serves
/// @param rewrites whether rules outside of all sections rewrite, which tell programs what was
///   asked for
record Scripts(RuleSet rules, ServedFolders folders, boolean rewrites) {
    private static final List<String> NONE = List.of();
    private static final String FILE = ProxyRules.SCRIPT;

    /// The file goes to an upstream that runs it.
    ///
    /// @param request with the path of the file
    /// @param uri the path of the request to httpd, which may lead to the file by a rule
    RuleDecision run(
            RuleAction.Forward by, AccessRequest request, ServedFolders.Found file, String uri) {
        RuleRequest asked = request.request();
        String query = request.caller().query(asked);
        String path = PercentEncoding.path(request.path());
        return new RuleDecision.Forward(
                by,
                query == null ? path : path + "?" + query,
                new CgiScript(
                        environment(request.caller(), asked),
                        parameters(
                                query,
                                request,
                                new Script(prefix(by.target()) + file.whole(), file.info()),
                                uri)));
    }

    private static String prefix(@Nullable String target) {
        return target == null ? "" : target;
    }

    /// The same for what a rule passes to a program by its path there, if the rule says what stands
    /// before that path in the name of the file.
    ///
    /// @param uri the path of the request to httpd
    RuleDecision passed(RuleDecision decision, AccessRequest request, String uri) {
        if (!(decision instanceof RuleDecision.Forward forward)
                || forward.script() != null
                || !forward.rule().rules().runsByPath()) {
            return decision;
        }
        RuleAction.Forward by = forward.rule();
        String target = forward.target();
        int mark = target.indexOf('?');
        CanonicalPath path =
                CanonicalPath.of(
                        mark < 0 ? target : target.substring(0, mark), request.request().reading());
        if (path.error() != null) {
            return new RuleDecision.Refuse(400);
        }
        String query = mark < 0 ? null : target.substring(mark + 1);
        Script script = new Script(by.rules().attributes().get(FILE) + path.path(), "");
        return new RuleDecision.Forward(
                by,
                target,
                new CgiScript(
                        environment(request.caller(), request.request()),
                        parameters(query, request, script, uri)));
    }

    /// A file that a program runs.
    ///
    /// @param name as the program is told
    /// @param info what stands behind it in the path
    private record Script(String name, String info) {}

    /// The variables of a request that sections have been asked of, which a request begun anew
    /// knows by other names.
    Map<String, String> environment(Caller caller, RuleRequest asked) {
        Map<String, String> environment = new LinkedHashMap<>(caller.environment(rules));
        environment.remove("DOCUMENT_ROOT");
        TlsInfo tls = asked.tls();
        if (tls != null) {
            environment.putIfAbsent("HTTPS", "on");
            if (!tls.serverName().isEmpty()) {
                environment.putIfAbsent("SSL_TLS_SNI", tls.serverName());
            }
        }
        if (rewrites) {
            int mark = asked.received().indexOf('?');
            String raw = mark < 0 ? asked.received() : asked.received().substring(0, mark);
            CanonicalPath first = CanonicalPath.of(raw, asked.reading());
            String path = first.error() == null ? first.path() : asked.path();
            environment.put("SCRIPT_URL", CgiRequest.octets(path));
            environment.put("SCRIPT_URI", CgiRequest.octets(url(asked, path)));
        }
        return environment;
    }

    private Map<String, String> parameters(
            @Nullable String query, AccessRequest request, Script script, String uri) {
        RuleRequest asked = request.request();
        ServedFolders.Mount mount = folders.mount(request.path());
        String root = root(folders.mount("/"));
        Map<String, String> values = new LinkedHashMap<>();
        values.put("REQUEST_URI", asked.received());
        values.put("QUERY_STRING", query == null ? "" : query);
        values.put("SERVER_NAME", name(asked));
        values.put("SERVER_PORT", Integer.toString(port(asked)));
        values.put("SERVER_SIGNATURE", "");
        String version = asked.arrival().version().text();
        values.put("SERVER_PROTOCOL", version.equals("HTTP/2") ? "HTTP/2.0" : version);
        values.put("DOCUMENT_ROOT", root);
        values.put("CONTEXT_PREFIX", mount == null ? "" : mount.prefix());
        values.put("CONTEXT_DOCUMENT_ROOT", mount == null ? root : root(mount));
        values.put(FILE, script.name);
        values.put("SCRIPT_NAME", name(uri, script.info));
        if (!script.info.isEmpty()) {
            values.put("PATH_INFO", script.info);
            values.put("PATH_TRANSLATED", translated(script.info));
        }
        values.replaceAll((_, value) -> CgiRequest.octets(value));
        return values;
    }

    /// The file that a path would stand for.
    private String translated(String path) {
        String mapped = folders.mapped(path);
        ServedFolders.Mount mount = folders.mount(path);
        if (mapped == null || mount == null) {
            return path;
        }
        ServedFolders.Found found = folders.find(path);
        for (String page : found.isFolder() && path.endsWith("/") ? mount.pages().index() : NONE) {
            if (folders.find(path + page).isFile()) {
                return mapped + page;
            }
        }
        return mapped;
    }

    /// The path without what stands behind the file's name, as far as it ends alike.
    private static String name(String uri, String info) {
        int at = uri.length();
        int of = info.length();
        while (at > 0 && of > 0 && uri.charAt(at - 1) == info.charAt(of - 1)) {
            at--;
            of--;
        }
        if (info.isEmpty()) {
            return uri;
        }
        int slash = uri.indexOf('/', at);
        return slash < 0 ? uri : uri.substring(0, slash);
    }

    private static String root(ServedFolders.@Nullable Mount mount) {
        Path folder = mount == null ? null : mount.folder();
        return folder == null ? "" : folder.toAbsolutePath().normalize().toString();
    }

    private static String name(RuleRequest asked) {
        String host = Authority.host(asked.authority());
        return host == null ? "localhost" : host.toLowerCase(Locale.ROOT);
    }

    private static int port(RuleRequest asked) {
        String authority = asked.authority();
        int port = authority == null ? -1 : Authority.port(authority);
        return port >= 0 ? port : byDefault(asked);
    }

    private static int byDefault(RuleRequest asked) {
        return asked.scheme().equals("https") ? 443 : 80;
    }

    private static String url(RuleRequest asked, String path) {
        int port = port(asked);
        String place = port == byDefault(asked) ? "" : ":" + port;
        return asked.scheme() + "://" + name(asked) + place + path;
    }
}
