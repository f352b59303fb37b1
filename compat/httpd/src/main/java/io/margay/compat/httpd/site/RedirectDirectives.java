package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.Expressions;
import io.margay.compat.httpd.expression.HeaderFormat;
import io.margay.compat.httpd.expression.RegexText;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleAction.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Reads `Redirect`, `RedirectMatch`, `RedirectPermanent` and `RedirectTemp`. Confined to one
/// reading.
final class RedirectDirectives {
    private final HttpdConfig config;
    private final ReadingContext context;

    RedirectDirectives(HttpdConfig config) {
        this.config = config;
        context = config.context;
    }

    void read(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (node.key().equals("redirectmatch")) {
            redirectMatch(node, server, section);
        } else {
            redirect(node, server, section);
        }
    }

    /// The status that a word stands for, such as `permanent` or 308; one that is wrong goes to the
    /// account.
    int status(HttpdNode node, String word, int byDefault) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "" -> byDefault;
            case "permanent" -> 301;
            case "temp" -> 302;
            case "seeother" -> 303;
            case "gone" -> 410;
            default -> {
                if (word.matches("[2345][0-9][0-9]")) {
                    yield Integer.parseInt(word);
                }
                context.wrong(node, "\"" + word + "\" is not a status");
                yield byDefault;
            }
        };
    }

    private void redirect(HttpdNode node, HttpdServer server, HttpdSection section) {
        List<String> words = new ArrayList<>(node.arguments());
        int status = node.key().equals("redirectpermanent") ? 301 : 302;
        if (!words.isEmpty()
                && !words.getFirst().startsWith("/")
                && words.getFirst().matches("permanent|temp|seeother|gone|[2345][0-9][0-9]")) {
            status = status(node, words.removeFirst(), status);
        }
        boolean refused = status < 300 || status >= 400;
        boolean inside = section.isLocation() || section.isConditional();
        if (inside && words.size() == (refused ? 0 : 1)) {
            wholeSection(node, server, section, status, refused ? "" : words.getFirst());
            return;
        }
        PathMatch match = new PathMatch.Prefix(words.isEmpty() ? "/" : words.removeFirst());
        String target = words.isEmpty() ? "" : words.getFirst();
        add(node, server, section, match, status, target, false);
    }

    /// Without a path: all that the section is about goes to one URL, which may have variables.
    private void wholeSection(
            HttpdNode node, HttpdServer server, HttpdSection section, int status, String url) {
        Optional<String> target =
                url.indexOf('$') >= 0
                        ? Optional.empty()
                        : new HeaderFormat(context.variables()).template("expr=" + url, false);
        if (target.isEmpty()) {
            context.changed(
                    node, "\"" + url + "\" has a part that is not supported, and is" + " ignored");
            return;
        }
        PathMatch match =
                section.match() instanceof PathMatch.Prefix
                        ? new PathMatch.Regex(RegexText.of(section.match()), false, false)
                        : section.match();
        add(node, server, section, match, status, target.get(), section.isLocation());
    }

    private void redirectMatch(HttpdNode node, HttpdServer server, HttpdSection section) {
        List<String> words = new ArrayList<>(node.arguments());
        int status = 302;
        if (words.size() > 1
                && words.getFirst().matches("permanent|temp|seeother|gone|[2345]\\d\\d")) {
            status = status(node, words.removeFirst(), status);
        }
        String regex = words.isEmpty() ? "" : words.removeFirst();
        add(
                node,
                server,
                section,
                new PathMatch.Regex(regex, false, false),
                status,
                words.isEmpty() ? "" : words.getFirst(),
                false);
    }

    /// @param early whether it comes before all that is said of access
    private void add(
            HttpdNode node,
            HttpdServer server,
            HttpdSection section,
            PathMatch match,
            int status,
            String target,
            boolean early) {
        RuleAction action =
                status < 300 || status >= 400
                        ? new RuleAction.Refuse(status)
                        : new RuleAction.Redirect(status, target, Query.KEEP);
        if (action instanceof RuleAction.Redirect && target.isEmpty()) {
            context.wrong(node, "names no URL");
            return;
        }
        List<Condition> when = new ArrayList<>();
        if (early && !match.equals(section.match())) {
            when.add(Condition.of("%{REQUEST_URI}", RegexText.of(section.match())));
        }
        GatewayRule rule = new GatewayRule(match, List.of(), when, action);
        if (Expressions.check(node, rule, context.account())) {
            context.honoured(node);
            if (early) {
                server.sectionRedirects.add(rule);
            } else if (section.isNone()) {
                server.redirects.add(rule);
            } else {
                config.access(section, server).redirect(rule);
            }
        }
    }
}
