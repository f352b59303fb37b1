package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Choice;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.SubstitutionRule;
import io.margay.gateway.rules.SubstitutionRule.Inherited;
import io.margay.gateway.rules.SubstitutionRule.Lines;
import io.margay.gateway.rules.SubstitutionRule.Replacement;
import io.margay.gateway.rules.SubstitutionRule.Responses;
import java.util.List;

/// The keys by which hosts have text replaced in responses.
public final class SubstitutionKeys {
    private static final Keys<Replacement> REPLACEMENT =
            Binding.of("a replacement", new Replacement("", "", false, false, false, false))
                    .keys(
                            """
                            find <a regular expression?> [required]: Searched for in each line of
                              the content; the next search begins after the match.
                            by <a text?> [nothing]: Replacement: $1 is the first group of `find`, $0
                              the whole match; a backslash escapes the next character.
                            literal: `find` and `by` are plain text.
                            any-case: A is a.
                            apart: Later replacements do not match its result.
                            once: Whether only what is found first in a response is replaced.
                            """);

    public static final Choice<SubstitutionRule.What> WHAT =
            Choice.<SubstitutionRule.What>of("a substitution")
                    .or(
                            "in",
                            Binding.of("a substitution", new Responses(List.of(), ""))
                                    .form("in", ResponseKeys.MEDIA_TYPES)
                                    .keys(
                                            """
                                            in (types) [required]: Media types of responses in which
                                              text is replaced; `*` matches any characters, `[]`
                                              none, despite earlier entries. Encoded content stays
                                              as it is.
                                            group <a name>: With `in`: groups are evaluated
                                              separately.
                                            """))
                    .or(
                            "replace",
                            Binding.of(
                                            "a substitution",
                                            new Lines(List.of(), Inherited.AS_BEFORE, 0))
                                    .form("replace", list("replacements", section(REPLACEMENT), 0))
                                    .form("line-max", bytes(0, Integer.MAX_VALUE / 2))
                                    .keys(
                                            """
                                            replace [required]: What is replaced, in order.
                                            inherited: With `replace`: where the replacements of
                                              entries before it come: first, last, or as-before = as
                                              those entries say, last where none does.
                                            line-max (lineBytesMax): With `replace`: bytes of a line
                                              before and after, beyond which the response is 500; 0
                                              = as entries before say, 1 MiB where none does.
                                            """));

    public static final Form<List<SubstitutionRule>> OF_HOST =
            listOrOne("substitutions", section(rule()), 0);

    private SubstitutionKeys() {}

    private static Keys<SubstitutionRule> rule() {
        return Binding.of(
                        "an entry of substitute",
                        new SubstitutionRule(
                                PathMatch.ANY, List.of(), new Responses(List.of(), "")))
                .part("what", WHAT)
                .then(MatchKeys::ordered)
                .exactlyOne(WHAT.names());
    }
}
