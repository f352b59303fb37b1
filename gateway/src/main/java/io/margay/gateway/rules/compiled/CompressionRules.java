package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.BoundedRegex.TooManyStepsException;
import io.margay.protocol.http.AcceptEncoding;
import io.margay.protocol.http.Fields;
import io.margay.server.compression.Compression;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.compression.Encoders;
import io.margay.server.exchange.Exchange;
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

    /// These, and where they say nothing, others.
    Compression before(@Nullable Compression others) {
        return (exchange, type) -> {
            CompressionConfig found = of(exchange, type);
            return found != null || others == null ? found : others.of(exchange, type);
        };
    }

    @Override
    public @Nullable CompressionConfig of(Exchange exchange, @Nullable String type) {
        if (!RuleRequest.isPossible(exchange)) {
            return null;
        }
        try {
            return find(variables.of(RuleRequest.of(exchange)), type);
        } catch (TooManyStepsException e) {
            return null;
        }
    }

    /// The first rule decides, unless the client accepts nothing of what it has.
    private @Nullable CompressionConfig find(RuleRequest asked, @Nullable String type) {
        RulePath path = RulePath.of(asked.path(), asked.rawPath());
        CompressionConfig first = null;
        for (Compiled one : rules) {
            CompressionConfig what = one.rule.what();
            if (what.takes(type) && one.match.take(asked, path) != null) {
                if (isAccepted(what, asked.fields())) {
                    return what;
                }
                first = first == null ? what : first;
                if (what.codings().isEmpty()) {
                    return first;
                }
            }
        }
        return first;
    }

    private static boolean isAccepted(CompressionConfig what, Fields fields) {
        return what.codings().stream()
                .anyMatch(coding ->
                        Encoders.isAvailable(coding)
                                && AcceptEncoding.quality(fields, coding.token()) > 0);
    }
}
