package io.margay.compat.tomcat.rewrite;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.PercentEncoding;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.UndecidedException;
import io.margay.server.host.StatusResponse;
import io.margay.servlet.resource.WebResources;
import io.margay.servlet.settings.RequestRewriting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of a `rewrite.config`: they see the canonical path, decoded once, and what they make
/// of it is read as the path of a new request, so that constraints see it. Immutable.
public final class RewriteRules implements RequestRewriting {
    /// What a query keeps, beside letters and digits, with `+` for blanks.
    private static final String QUERY = "*-._=&";

    private final List<RewriteRule> rules;
    private final boolean context;

    /// @param context whether paths are those within an application
    RewriteRules(List<RewriteRule> rules, boolean context) {
        this.rules = List.copyOf(rules);
        this.context = context;
    }

    @Override
    public @Nullable Handler rewrite(
            Exchange exchange, String contextPath, @Nullable WebResources files) {
        if (exchange.path().error() != null) {
            return null;
        }
        try {
            return rewritten(exchange, contextPath, files);
        } catch (UndecidedException e) {
            return it -> StatusResponse.plain(it, 500);
        }
    }

    private @Nullable Handler rewritten(
            Exchange exchange, String contextPath, @Nullable WebResources files) {
        RewriteRequest request = new RewriteRequest(exchange, contextPath, files);
        String before = context ? request.path() : exchange.path().path();
        String url = before;
        String host = request.host();
        boolean append = false;
        boolean discard = false;
        for (int i = 0; i < rules.size(); i++) {
            RewriteRule rule = rules.get(i);
            String made = rule.of(rule.has("H") ? host : url, request);
            if (made == null) {
                while (rule.has("C") && i + 1 < rules.size()) {
                    i++;
                    rule = rules.get(i);
                }
                continue;
            }
            host = rule.has("H") ? made : host;
            url = rule.has("H") ? url : made;
            append |= rule.has("QSA");
            discard |= rule.has("QSD");
            if (rule.has("F") || rule.has("G")) {
                int status = rule.has("F") ? 403 : 410;
                return it -> StatusResponse.plain(it, status);
            }
            if (rule.has("R")) {
                String target = target(url, rule, append, discard, exchange);
                return redirect(rule, contextPath, target);
            }
            if (rule.has("L")) {
                break;
            }
            i += rule.skip();
        }
        if (url.equals(before) && host.equals(request.host())) {
            return null;
        }
        return apply(exchange, contextPath, url, host, append, discard);
    }

    /// Gives the request the target that the rules have made.
    private @Nullable Handler apply(
            Exchange exchange,
            String contextPath,
            String url,
            String host,
            boolean append,
            boolean discard) {
        if (!url.startsWith("/") && !(context && url.isEmpty())) {
            return it -> StatusResponse.plain(it, 400);
        }
        RequestTarget target = exchange.request().target();
        int question = url.indexOf('?');
        String path = question < 0 ? url : url.substring(0, question);
        String rawPath = PercentEncoding.path((context ? contextPath : "") + path);
        String query = query(url, append, discard, target.rawQuery());
        exchange.rewrite(
                new RequestTarget(
                        target.form(),
                        query == null ? rawPath : rawPath + "?" + query,
                        rawPath,
                        query,
                        target.scheme(),
                        authority(target.authority(), host)));
        return null;
    }

    private static @Nullable String authority(@Nullable String before, String host) {
        String own = Authority.host(before);
        if (before == null || own == null || own.equals(host)) {
            return before == null && !host.isEmpty() ? host : before;
        }
        return host + before.substring(own.length());
    }

    /// The query that a path with `?` in it asks for.
    ///
    /// @param before that of the request, which stays where it asks for none
    private static @Nullable String query(
            String url, boolean append, boolean discard, @Nullable String before) {
        int question = url.indexOf('?');
        if (question < 0) {
            return discard ? null : before;
        }
        String own = PercentEncoding.encode(url.substring(question + 1), QUERY).replace("%20", "+");
        if (append && before != null && !before.isEmpty()) {
            return own.isEmpty() ? before : own + "&" + before;
        }
        return own;
    }

    /// Where a redirect leads, encoded unless the rule says that it is.
    private static String target(
            String url, RewriteRule rule, boolean append, boolean discard, Exchange exchange) {
        String before = exchange.request().target().rawQuery();
        String query = query(url, append, discard, before);
        int question = url.indexOf('?');
        String path = question < 0 ? url : url.substring(0, question);
        if (rule.has("NE")) {
            String own = question < 0 ? query : url.substring(question + 1);
            return own == null || own.isEmpty() ? path : path + "?" + own;
        }
        String encoded = PercentEncoding.path(path);
        return query == null || query.isEmpty() ? encoded : encoded + "?" + query;
    }

    private Handler redirect(RewriteRule rule, String contextPath, String target) {
        // Slashes at the start would make it another host (CVE-2018-11784).
        String local = target.startsWith("/") ? "/" + target.replaceFirst("^[/\\\\]+", "") : target;
        String location =
                context && local.startsWith("/")
                        ? PercentEncoding.path(contextPath) + local
                        : local;
        return it -> {
            it.status(rule.redirect());
            it.fields().set("Location", PercentEncoding.target(location));
            it.end();
        };
    }
}
