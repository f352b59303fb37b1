package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.protocol.http.AcceptEncoding;
import io.margay.protocol.http.Fields;
import io.margay.server.compression.Compression;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.compression.Encoders;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.UndecidedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of a host that compress responses, in order. Immutable.
public final class CompressionRules implements Compression {
    private final VariableRules variables;
    private final List<Compiled> rules;

    private record Compiled(RuleMatch match, CompressionRule rule) {}

    private CompressionRules(VariableRules variables, List<Compiled> rules) {
        this.variables = variables;
        this.rules = List.copyOf(rules);
    }

    /// Compiles.
    ///
    /// @return null when nothing is compressed
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static @Nullable Compression of(HostChanges changes, RuleLimits limits) {
        List<CompressionRule> rules = changes.compression();
        if (rules.isEmpty()) {
            return null;
        }
        if (rules.size() == 1 && rules.getFirst().isForAll()) {
            return Compression.of(rules.getFirst().what());
        }
        RuleScope scope = RuleScope.of(changes, limits);
        List<Compiled> compiled = new ArrayList<>();
        for (CompressionRule rule : rules) {
            compiled.add(new Compiled(RuleMatch.of(rule.match(), rule.when(), scope), rule));
        }
        return new CompressionRules(VariableRules.of(changes.variables(), scope), compiled);
    }

    /// Those of a folder, which are asked before what holds for its host; null when it has none.
    static @Nullable CompressionRules ofFolder(HostChanges changes, RuleScope scope) {
        List<Compiled> compiled = new ArrayList<>();
        for (CompressionRule rule : changes.compression()) {
            compiled.add(new Compiled(RuleMatch.of(rule.match(), rule.when(), scope), rule));
        }
        return compiled.isEmpty()
                ? null
                : new CompressionRules(VariableRules.of(changes.variables(), scope), compiled);
    }

    /// What folders say, the innermost first, among what holds for all of the host.
    ///
    /// @param host null = nothing
    static Compression of(List<CompressionRules> folders, @Nullable Compression host) {
        List<CompressionRules> all = List.copyOf(folders);
        return (exchange, type) -> {
            Search search = new Search(exchange, type);
            int upTo = Integer.MAX_VALUE;
            for (CompressionRules each : all) {
                if (host instanceof CompressionRules rules) {
                    rules.look(search, each.order(), upTo);
                }
                each.look(search, -1, Integer.MAX_VALUE);
                upTo = each.order();
            }
            return search.lastly(host, upTo);
        };
    }

    @Override
    public @Nullable CompressionConfig of(Exchange exchange, @Nullable String type) {
        Search search = new Search(exchange, type);
        look(search, -1, Integer.MAX_VALUE);
        return search.result();
    }

    /// The least that one of the rules has.
    private int order() {
        return rules.stream().mapToInt(one -> one.rule.order()).min().orElse(0);
    }

    /// Asks the rules whose order is more than one number and not more than another.
    private void look(Search search, int above, int upTo) {
        if (search.isOver() || !RuleRequest.isPossible(search.exchange)) {
            return;
        }
        try {
            RuleRequest asked = variables.of(RuleRequest.mapped(search.exchange));
            RulePath path = RulePath.of(asked.path(), asked.rawPath());
            for (int i = 0; i < rules.size() && !search.isOver(); i++) {
                Compiled one = rules.get(i);
                int order = one.rule.order();
                boolean isOne = order > above && order <= upTo;
                if (isOne && search.mayTake(one.rule) && one.match.take(asked, path) != null) {
                    search.take(one.rule, asked.fields());
                }
            }
        } catch (UndecidedException e) {
            search.giveUp();
        }
    }

    /// What has been found for one response. Confined to a thread.
    private static final class Search {
        final Exchange exchange;
        private final @Nullable String type;

        /// The first that holds, although the client accepts nothing of what it has: other clients
        /// get it compressed.
        private @Nullable CompressionConfig first;

        private @Nullable CompressionConfig found;
        private List<String> decided = List.of();
        private boolean over;

        Search(Exchange exchange, @Nullable String type) {
            this.exchange = exchange;
            this.type = type;
        }

        boolean isOver() {
            return over;
        }

        boolean mayTake(CompressionRule rule) {
            return !decided.contains(rule.group()) && rule.what().takes(type);
        }

        void take(CompressionRule rule, Fields fields) {
            CompressionConfig what = rule.what();
            if (what.codings().isEmpty()) {
                decided = new ArrayList<>(decided);
                decided.add(rule.group());
            } else if (isAccepted(what, fields)) {
                found = what;
                over = true;
            } else if (first == null) {
                first = what;
            }
        }

        void giveUp() {
            first = null;
            over = true;
        }

        /// What holds, once another that has no groups was asked as well.
        @Nullable CompressionConfig lastly(@Nullable Compression other, int upTo) {
            if (other instanceof CompressionRules rules) {
                rules.look(this, -1, upTo);
            } else if (other != null && !over && first == null && !decided.contains("")) {
                return other.of(exchange, type);
            }
            return result();
        }

        @Nullable CompressionConfig result() {
            return found != null ? found : first;
        }
    }

    private static boolean isAccepted(CompressionConfig what, Fields fields) {
        return what.codings().stream()
                .anyMatch(coding ->
                        Encoders.isAvailable(coding)
                                && AcceptEncoding.quality(fields, coding.token()) > 0);
    }
}
