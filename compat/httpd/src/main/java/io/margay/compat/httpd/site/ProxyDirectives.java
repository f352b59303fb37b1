package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.Expressions;
import io.margay.compat.httpd.proxy.HealthExpression;
import io.margay.compat.httpd.proxy.ProxyParameters;
import io.margay.compat.httpd.proxy.ProxyUrl;
import io.margay.compat.httpd.site.HttpdServer.Pass;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.HttpdTime;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.proxy.ProxyRules.PathRules;
import io.margay.gateway.proxy.ProxyRules.Replacement;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction.Query;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the directives of mod_proxy and its companions. Confined to one reading.
final class ProxyDirectives {
    private final HttpdConfig config;
    private final ReadingContext context;

    ProxyDirectives(HttpdConfig config) {
        this.config = config;
        context = config.context;
    }

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (directive) {
            case PROXY_PASS -> pass(node, server, section, false);
            case PROXY_PASS_MATCH -> pass(node, server, section, true);
            case PROXY_PASS_REVERSE -> reverse(node, server, section);
            case PROXY_PASS_REVERSE_COOKIE_DOMAIN -> cookie(node, section, server.cookieDomains);
            case PROXY_PASS_REVERSE_COOKIE_PATH -> cookie(node, section, server.cookiePaths);
            case BALANCER_MEMBER -> member(node, server, section);
            case PROXY_SET -> set(node, server, section);
            case PROXY_PRESERVE_HOST -> {
                server.keepsHost = node.isOn() ? node : server.keepsHost;
                if (!isOfPath(node, section)) {
                    server.preserveHost = node.isOn();
                } else {
                    server.proxySections.add(
                            new PathRules(section.argument(), node.isOn(), null, null, List.of()));
                }
            }
            case PROXY_ERROR_OVERRIDE -> errorOverride(node, server, section);
            case PROXY_ADD_HEADERS -> {
                if (!isOfPath(node, section)) {
                    server.addHeaders = node.isOn();
                } else {
                    server.proxySections.add(
                            new PathRules(section.argument(), null, node.isOn(), null, List.of()));
                }
            }
            case PROXY_PASS_INHERIT -> {
                server.passInherit = node.isOn();
                context.honoured(node);
            }
            case PROXY_TIMEOUT -> server.proxyTimeout = time(node);
            case PROXY_HC_TEMPLATE -> {
                ProxyParameters parameters = parameters(node, 1);
                config.workers.template(node.argument(0), parameters);
                context.honoured(node);
            }
            case PROXY_HC_EXPR -> expression(node);
            case PROXY_IO_BUFFER_SIZE -> {
                if (node.argument(0).matches("[0-9]{1,9}")) {
                    server.ioBufferBytes = Integer.parseInt(node.argument(0));
                    context.honoured(node, "as the packet size of AJP13");
                } else {
                    context.wrong(node, "\"" + node.argument(0) + "\" is not a number");
                }
            }
            default -> throw new IllegalStateException(directive.word());
        }
    }

    /// `ProxyHCExpr name {expression}`.
    private void expression(HttpdNode node) {
        String text =
                String.join(" ", node.arguments().subList(Math.min(1, node.size()), node.size()));
        Optional<HealthConfig.ExpectedResponse> answer = HealthExpression.parse(text);
        if (answer.isPresent()) {
            context.honoured(node);
            config.workers.answer(node.argument(0), answer.get());
        } else {
            context.changed(
                    node,
                    "\"" + text + "\" is not understood: checks expect a status from 200 to 399");
        }
    }

    /// Tells of a setting, and whether it holds for the path of its section alone: in sections that
    /// are not about a path it holds for the whole host.
    private boolean isOfPath(HttpdNode node, HttpdSection section) {
        boolean path = section.isLocation() && section.match() instanceof PathMatch.Prefix;
        if (section.isNone() || path) {
            context.honoured(node);
        } else {
            context.changed(node, "applies to the whole host, not only to the section");
        }
        return path;
    }

    /// `ProxyErrorOverride On|Off [STATUS…]`.
    private void errorOverride(HttpdNode node, HttpdServer server, HttpdSection section) {
        List<String> words = node.arguments().stream().skip(1).toList();
        if (!words.stream().allMatch(word -> word.matches("[45][0-9][0-9]"))) {
            context.wrong(node, "a status is a number from 400 to 599");
            return;
        }
        List<Integer> statuses = words.stream().map(Integer::valueOf).toList();
        int from = !node.isOn() || !statuses.isEmpty() ? 0 : 400;
        List<Integer> named = node.isOn() ? statuses : List.of();
        if (isOfPath(node, section)) {
            server.proxySections.add(new PathRules(section.argument(), null, null, from, named));
        } else {
            server.errorOverride = from;
            server.overridden = named;
        }
    }

    private Duration time(HttpdNode node) {
        Optional<Duration> time = HttpdTime.parse(node.argument(0), 1000);
        if (time.isPresent()) {
            context.honoured(node);
        } else {
            context.wrong(node, "\"" + node.argument(0) + "\" is not a time");
        }
        return time.orElse(Duration.ofSeconds(60));
    }

    private ProxyParameters parameters(HttpdNode node, int from) {
        ProxyParameters parameters =
                new ProxyParameters(node.place(), node.name(), context.account());
        for (int i = from; i < node.size(); i++) {
            parameters.read(node.argument(i));
        }
        return parameters;
    }

    /// `ProxyPass [path] !|url [key=value…] [nocanon] [interpolate] [noquery]`.
    private void pass(HttpdNode node, HttpdServer server, HttpdSection section, boolean isMatch) {
        if (!section.isLocation() && !section.isNone()) {
            context.wrong(node, "belongs to a server or a Location");
            return;
        }
        int at = section.isLocation() ? 0 : 1;
        String url = node.argument(at);
        String path = section.isLocation() ? section.argument() : node.argument(0);
        if (url.isEmpty()) {
            context.wrong(node, "write " + node.name() + " /path URL");
            return;
        }
        if (section.isLocation() && node.size() > 1 && url.startsWith("/")) {
            context.wrong(
                    node,
                    "in a Location, the path is that of the section: write only the" + " URL");
            return;
        }
        boolean raw = false;
        Query query = Query.KEEP;
        ProxyParameters parameters =
                new ProxyParameters(node.place(), node.name(), context.account());
        for (String word : node.arguments().subList(at + 1, node.size())) {
            switch (word.toLowerCase(Locale.ROOT)) {
                case "nocanon" -> raw = true;
                case "noquery" -> query = Query.DROP;
                case "interpolate" ->
                        context.changed(node, "variables are not interpolated per request");
                default -> parameters.read(word);
            }
        }
        PathMatch match = section.match();
        if (!section.isLocation()) {
            match = isMatch ? new PathMatch.Regex(path, false, false) : new PathMatch.Prefix(path);
        }
        add(
                node,
                server,
                section,
                HttpdServerPassBuilder.builder()
                        .match(match)
                        .url(url.equals("!") ? null : ProxyUrl.parse(url).orElse(null))
                        .parameters(parameters)
                        .raw(raw)
                        .query(query)
                        .conditions(List.of())
                        .place(node.place())
                        .build(),
                url);
    }

    private void add(
            HttpdNode node, HttpdServer server, HttpdSection section, Pass pass, String url) {
        if (pass.url() == null && !url.equals("!")) {
            context.wrong(node, "\"" + url + "\" is neither a URL nor !");
            return;
        }
        if (!check(node, pass)) {
            return;
        }
        if (sharesWorker(pass, server)) {
            context.changed(
                    node,
                    "its parameters count, which httpd ignores: there it shares the worker of a"
                            + " ProxyPass before it");
        } else {
            context.honoured(node);
        }
        (section.isLocation() ? server.sectionPasses : server.passes).add(pass);
    }

    /// Whether a URL before it is the beginning of its own, so that httpd has one worker for both.
    private static boolean sharesWorker(Pass pass, HttpdServer server) {
        ProxyUrl url = pass.url();
        if (url == null || url.isBalancer() || pass.parameters().isEmpty()) {
            return false;
        }
        String whole = url.origin() + url.path();
        return Stream.of(server.passes, server.sectionPasses)
                .flatMap(List::stream)
                .anyMatch(before ->
                        isOver(before.url(), whole)
                                && !before.parameters().equals(pass.parameters()));
    }

    private static boolean isOver(@Nullable ProxyUrl url, String whole) {
        return url != null && whole.startsWith(url.origin() + url.path());
    }

    /// Whether the URL can be spoken to, and the expression read.
    private boolean check(HttpdNode node, Pass pass) {
        ProxyUrl url = pass.url();
        if (url != null && !url.isBalancer() && url.address().isEmpty()) {
            context.wrong(
                    node,
                    url.scheme()
                            + ":// is not supported; http, https, ajp, fcgi, ws, wss and"
                            + " balancer are");
            return false;
        }
        if (pass.match() instanceof PathMatch.Regex regex) {
            return Expressions.check(node, regex.regex(), context.account());
        }
        return true;
    }

    private void reverse(HttpdNode node, HttpdServer server, HttpdSection section) {
        String path = section.isLocation() ? section.argument() : node.argument(0);
        String url = section.isLocation() ? node.argument(0) : node.argument(1);
        if (url.isEmpty()) {
            context.wrong(node, "write ProxyPassReverse /path URL");
            return;
        }
        below(node, section)
                .ifPresent(below -> server.reverses.add(new HttpdServer.Reverse(path, url, below)));
    }

    private void cookie(HttpdNode node, HttpdSection section, List<Replacement> all) {
        below(node, section)
                .ifPresent(below ->
                        all.add(new Replacement(node.argument(0), node.argument(1), below)));
    }

    /// The path below which what a section says of responses holds; empty where that is none.
    private Optional<String> below(HttpdNode node, HttpdSection section) {
        boolean everywhere = section.isNone() || section.kind() == HttpdSection.Kind.PROXY;
        if (everywhere || (section.isLocation() && section.match() instanceof PathMatch.Prefix)) {
            context.honoured(node);
            return Optional.of(everywhere ? "" : section.argument());
        }
        context.changed(
                node, "is ignored: it is supported in a Location with a path, and outside of all");
        return Optional.empty();
    }

    private void member(HttpdNode node, HttpdServer server, HttpdSection section) {
        boolean inside = section.kind() == HttpdSection.Kind.PROXY;
        String balancer = inside ? section.argument() : node.argument(0);
        int at = inside ? 0 : 1;
        Optional<ProxyUrl> to = ProxyUrl.parse(balancer);
        Optional<ProxyUrl> url = ProxyUrl.parse(node.argument(at));
        if (to.isEmpty() || !to.get().isBalancer()) {
            context.wrong(node, "belongs in <Proxy balancer://NAME>");
            return;
        }
        if (url.isEmpty() || url.get().address().isEmpty()) {
            context.wrong(node, "\"" + node.argument(at) + "\" is not the URL of a peer");
            return;
        }
        context.honoured(node);
        String name = url.get().origin() + url.get().path();
        config.workers.member(
                to.get().host(),
                name.endsWith("/") ? name.substring(0, name.length() - 1) : name,
                url.get(),
                parameters(node, at + 1),
                () -> config.peerDefaults(server));
    }

    private void set(HttpdNode node, HttpdServer server, HttpdSection section) {
        List<String> words = new ArrayList<>(node.arguments());
        String target = section.argument();
        if (!words.isEmpty() && words.getFirst().contains("://")) {
            target = words.removeFirst();
        }
        Optional<ProxyUrl> url = ProxyUrl.parse(target);
        if (url.isEmpty()) {
            context.wrong(node, "names no worker; put it into <Proxy URL>");
            return;
        }
        ProxyParameters parameters =
                new ProxyParameters(node.place(), node.name(), context.account());
        words.forEach(parameters::read);
        config.workers.set(url.get(), parameters, () -> config.peerDefaults(server));
        context.honoured(node);
    }
}
