package io.margay.gateway.substitute;

import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.SubstitutionRule.Inherited;
import io.margay.gateway.rules.SubstitutionRule.Lines;
import io.margay.gateway.rules.SubstitutionRule.Responses;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.gateway.rules.compiled.OrderedRules;
import io.margay.gateway.rules.lines.LineReplacement;
import io.margay.gateway.rules.lines.SubstitutionStep;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.compression.LineChange;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.UndecidedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The text that is replaced in responses of a host. Thread-safe.
public final class Substitutions {
    private final OrderedRules<SubstitutionStep> rules;
    private final boolean begins;
    private final MemoryBudget memory;
    private final int lineBytesMax;

    private Substitutions(
            OrderedRules<SubstitutionStep> rules, MemoryBudget memory, int lineBytesMax) {
        this.rules = rules;
        begins = rules.any(SubstitutionStep::begins);
        this.memory = memory;
        this.lineBytesMax = lineBytesMax;
    }

    /// Compiles.
    ///
    /// @param ofFolders whether files of folders may say what is replaced in what lies there
    /// @param memory for lines of which the end has not come
    /// @return null when nothing is replaced
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static @Nullable Substitutions of(
            HostChanges changes, boolean ofFolders, RuleLimits limits, MemoryBudget memory) {
        return changes.substitutions().isEmpty() && !ofFolders
                ? null
                : new Substitutions(
                        OrderedRules.substitutions(changes, limits), memory, limits.lineBytesMax());
    }

    /// The exchange that a handler is to answer in place of the client's: the same where nothing is
    /// replaced.
    ///
    /// @throws UndecidedException when it cannot be said whether a rule is about the request
    public DialingExchange apply(DialingExchange exchange) {
        if (!begins
                && !(exchange.notes().rules() instanceof HostExchangeRules host
                        && host.substitutes())) {
            return exchange; // whatever is undecided of those that end it
        }
        List<SubstitutionStep> about = about(exchange);
        Set<String> groups = new LinkedHashSet<>();
        for (SubstitutionStep step : about) {
            if (step.said() instanceof Responses(var types, String group) && !types.isEmpty()) {
                groups.add(group);
            }
        }
        if (groups.isEmpty()) {
            return exchange;
        }
        exchange.notes()
                .put(
                        ExchangeNotes.WHOLE,
                        type -> groups.stream().anyMatch(group -> isIn(group, type, about)));
        DialingExchange changed = exchange;
        for (String group : groups) {
            changed =
                    LineChange.around(changed, answered -> change(answered, group, about), memory);
        }
        return changed;
    }

    /// Those of the host and its folders, the last that is said last.
    private List<SubstitutionStep> about(Exchange exchange) {
        List<SubstitutionStep> about = new ArrayList<>();
        rules.about(exchange, about);
        if (exchange.notes().rules() instanceof HostExchangeRules host
                && host.substitutions(exchange, about)) {
            about.sort(Comparator.comparingInt(SubstitutionStep::order));
        }
        return about;
    }

    private static boolean isIn(String group, @Nullable String type, List<SubstitutionStep> about) {
        for (SubstitutionStep step : about.reversed()) {
            if (step.said() instanceof Responses(var types, String of) && of.equals(group)) {
                if (types.isEmpty()) {
                    return false;
                }
                if (CompressionConfig.isOneOf(types, type)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// What is done to the lines of a response; null = nothing.
    private @Nullable LineChange change(
            Exchange answered, String group, List<SubstitutionStep> about) {
        if (answered.notes().isOwn()
                || !isIn(group, answered.fields().get("Content-Type"), about)) {
            return null;
        }
        List<LineReplacement> all = new ArrayList<>();
        Inherited inherited = Inherited.LAST;
        int max = lineBytesMax;
        for (SubstitutionStep step : about) {
            if (step.said() instanceof Lines lines) {
                inherited =
                        lines.inherited() == Inherited.AS_BEFORE ? inherited : lines.inherited();
                all.addAll(inherited == Inherited.FIRST ? all.size() : 0, step.replacements());
                max = lines.lineBytesMax() == 0 ? max : (int) lines.lineBytesMax();
            }
        }
        return new Replacing(List.copyOf(all), max);
    }

    /// What is replaced in one response. Used by one thread at a time.
    private static final class Replacing implements LineChange {
        private final List<LineReplacement> all;
        private final int lineBytesMax;

        /// Those that replace no more.
        private final Set<LineReplacement> done = new HashSet<>();

        Replacing(List<LineReplacement> all, int lineBytesMax) {
            this.all = all;
            this.lineBytesMax = lineBytesMax;
        }

        @Override
        public int lineBytesMax() {
            return lineBytesMax;
        }

        @Override
        public byte @Nullable [] change(byte[] bytes, int offset, int length) {
            List<String> line =
                    List.of(new String(bytes, offset, length, StandardCharsets.ISO_8859_1));
            List<String> made = line;
            for (LineReplacement one : all) {
                if (done.contains(one)) {
                    continue;
                }
                List<String> before = made;
                made = one.apply(made, lineBytesMax, all.size() == 1);
                if (one.isOnce() && !made.equals(before)) {
                    done.add(one);
                }
            }
            return made.equals(line)
                    ? null
                    : String.join("", made).getBytes(StandardCharsets.ISO_8859_1);
        }
    }
}
