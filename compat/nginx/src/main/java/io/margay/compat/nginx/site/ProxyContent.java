package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyRules.Replacement;
import io.margay.gateway.proxy.ProxyRulesBuilder;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What is passed on: `proxy_pass` with its address, and what changes in requests and responses on
/// the way. Confined to one reading.
record ProxyContent(
        Reading reading,
        Program program,
        Variables variables,
        Upstreams upstreams,
        FieldReader fields,
        CacheReader caches) {
    static final Pattern URL = Pattern.compile("(?i)(https?)://(unix:[^:]+:?|[^/$?#]+)([/$?#].*)?");

    /// Writes a `proxy_pass`.
    ///
    /// @param ids of the location and of what is in it
    void write(NginxNode node, Location location, List<Integer> ids) {
        node.asked();
        String text = reading.withConstants(node.word(0));
        Matcher url = URL.matcher(text);
        if (!url.matches()) {
            reading.wrong(
                    node,
                    Variables.isIn(text)
                            ? "the host is known here only where it is set to one text: name it"
                            : "invalid URL prefix");
            return;
        }
        boolean secure = url.group(1).equalsIgnoreCase("https");
        String authority = url.group(2);
        String path = url.group(3) == null ? "" : url.group(3);
        PeerScheme scheme = secure ? PeerScheme.HTTPS : PeerScheme.HTTP;
        Scope scope = location.scope();
        String upstream =
                upstreams.named(
                        new Upstreams.Key(
                                scheme,
                                authority,
                                upstreams.timeouts(scope, "proxy"),
                                upstreams.tries(scope, "proxy")),
                        node);
        if (upstream == null) {
            return;
        }
        caches.write(scope, ids, "proxy", program);
        boolean upgrade = fields.proxied(scope, ids, host(authority, secure));
        ProxyRules rules = rules(scope).upgrade(upgrade).build();
        try {
            pass(node, location, new To(upstream, path, rules));
        } catch (Variables.Unknown e) {
            reading.wrong(node, String.valueOf(e.getMessage()));
        }
    }

    private record To(String upstream, String path, ProxyRules rules) {
        RuleAction.Forward as(@Nullable String target, boolean raw, Query query) {
            return new RuleAction.Forward(upstream, target, raw, query, rules);
        }
    }

    private void pass(NginxNode node, Location location, To to) throws Variables.Unknown {
        if (to.path.isEmpty()) {
            program.answer(PathMatch.ANY, List.of(), to.as(null, true, Query.KEEP));
            return;
        }
        if (Variables.isIn(to.path)) {
            String target = to.path.startsWith("/") ? to.path : "/" + to.path;
            boolean whole = to.path.equals("$request_uri") || to.path.equals("$uri$is_args$args");
            NginxRegex regex = location.regex();
            boolean found =
                    regex != null
                            && location.scope().own("rewrite").isEmpty()
                            && location.scope().own("if").isEmpty();
            if (whole) {
                program.answer(PathMatch.ANY, List.of(), to.as(null, true, Query.KEEP));
                return;
            }
            if (!to.path.startsWith("/") && !to.path.startsWith("$uri")) {
                throw new Variables.Unknown("a path that does not begin with / is not translated");
            }
            if (to.path.matches("[^?]*\\?\\$(?:args|query_string)")) {
                reading.changed(node, "where there is no query, no ? is passed on");
            }
            boolean uri = to.path.startsWith("$uri");
            program.answer(
                    found ? location.match() : PathMatch.ANY,
                    List.of(),
                    to.as(variables.template(uri ? to.path : target, found), false, Query.DROP));
            return;
        }
        if (!location.isPrefix() && location.kind() != Location.Kind.EXACT) {
            throw new Variables.Unknown(
                    "\"proxy_pass\" cannot have URI part in location given by regular expression,"
                            + " or inside named location");
        }
        if (to.path.indexOf('?') >= 0 || to.path.indexOf('#') >= 0) {
            throw new Variables.Unknown("an address with a query is not translated");
        }
        program.answer(
                PathMatch.ANY,
                List.of(Conditions.has(RewritePhase.MOVED.name(), "1")),
                to.as(null, false, Query.KEEP));
        String rest = location.kind() == Location.Kind.EXACT ? "" : "$1";
        program.answer(
                location.rest(),
                List.of(),
                to.as(Variables.literal(to.path) + rest, false, Query.KEEP));
    }

    /// What `Host` is where nothing else is said.
    static String host(String authority, boolean secure) {
        if (authority.startsWith("unix:")) {
            return "localhost";
        }
        String usual = secure ? ":443" : ":80";
        return authority.endsWith(usual)
                ? authority.substring(0, authority.length() - usual.length())
                : authority;
    }

    private ProxyRulesBuilder rules(Scope scope) {
        ProxyRules none = ProxyRules.defaults();
        List<Replacement> places = new ArrayList<>();
        List<NginxNode> redirects = scope.nearest("proxy_redirect");
        boolean byDefault = redirects.isEmpty();
        for (NginxNode node : redirects) {
            if (node.words().size() == 2) {
                replace(node, places);
            } else {
                byDefault |= node.word(0).equals("default");
            }
        }
        Replacement usual = byDefault ? usual(scope) : null;
        if (usual != null) {
            places.add(usual);
        }
        List<Replacement> domains = new ArrayList<>();
        scope.nearest("proxy_cookie_domain").forEach(node -> replace(node, domains));
        List<Replacement> paths = new ArrayList<>();
        scope.nearest("proxy_cookie_path").forEach(node -> replace(node, paths));
        List<Integer> shown = intercepted(scope, "proxy");
        return ProxyRulesBuilder.builder(none)
                .keepHost(true)
                .reverse(places)
                .cookieDomains(domains)
                .cookiePaths(paths)
                .forwarded(false)
                .standardForwarded(false)
                .passForwarded(true)
                .overridden(shown);
    }

    /// Statuses of members whose place the server's pages take.
    ///
    /// @param prefix of the directives' names
    static List<Integer> intercepted(Scope scope, String prefix) {
        List<Integer> shown = new ArrayList<>();
        if (scope.isOn(prefix + "_intercept_errors", false)) {
            for (NginxNode node : scope.nearest("error_page")) {
                node.words().stream()
                        .filter(word -> word.matches("[345][0-9]{2}"))
                        .map(Integer::valueOf)
                        .forEach(shown::add);
            }
        }
        return shown;
    }

    /// What nginx replaces unless something else is said: the address by the path of the outermost
    /// location that has one, as those in it inherit that.
    private @Nullable Replacement usual(Scope scope) {
        Replacement found = null;
        for (Scope at = scope; at != null; at = at.parent()) {
            NginxNode block = at.node();
            for (NginxNode node : at.own("proxy_pass")) {
                Matcher url = URL.matcher(reading.withConstants(node.word(0)));
                if (block == null || !url.matches() || Variables.isIn(url.group())) {
                    continue;
                }
                String path = url.group(3) == null ? "" : url.group(3);
                String address = url.group(1) + "://" + url.group(2);
                found =
                        path.isEmpty()
                                ? new Replacement(address + "/", "/")
                                : new Replacement(
                                        address + path,
                                        block.words().getLast().replaceFirst("^(?:=|\\^~)", ""));
            }
        }
        return found;
    }

    private void replace(NginxNode node, List<Replacement> to) {
        if (node.words().size() != 2) {
            if (!node.word(0).equals("off")) {
                reading.wrong(node, "invalid parameter \"" + node.word(0) + "\"");
            }
            return;
        }
        boolean plain = !Variables.isIn(node.word(0)) && !Variables.isIn(node.word(1));
        if (plain && !node.word(0).startsWith("~")) {
            to.add(new Replacement(node.word(0), node.word(1)));
        } else {
            reading.changed(node, "expressions and variables are not translated");
        }
    }
}
