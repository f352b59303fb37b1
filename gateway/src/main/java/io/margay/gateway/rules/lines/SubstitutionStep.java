package io.margay.gateway.rules.lines;

import io.margay.gateway.rules.SubstitutionRule;
import java.util.List;

/// A [SubstitutionRule] that is compiled, without what it is about. Immutable.
///
/// @param replacements what is replaced, in order
public record SubstitutionStep(
        SubstitutionRule.What said, List<LineReplacement> replacements, int order) {
    public SubstitutionStep {
        replacements = List.copyOf(replacements);
    }

    /// Whether it has text replaced in some responses.
    public boolean begins() {
        return said instanceof SubstitutionRule.Responses(var types, String _) && !types.isEmpty();
    }

    /// Compiles.
    ///
    /// @throws java.util.regex.PatternSyntaxException for what is no regular expression
    public static SubstitutionStep of(SubstitutionRule rule) {
        List<LineReplacement> replacements =
                rule.what() instanceof SubstitutionRule.Lines lines
                        ? lines.replace().stream().map(LineReplacement::of).toList()
                        : List.of();
        return new SubstitutionStep(rule.what(), replacements, rule.order());
    }
}
