package io.margay.gateway.access;

import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a section refuses by the whole path of a file, as mod_rewrite does in folders: of the
/// sections about a request the last that says something counts alone. Immutable.
///
/// @param engine whether rules are asked; null = the section says nothing
/// @param below what is taken away from the paths that begin with it, with a slash at the end; null
///   where the section has nothing of the kind, so that those before count
/// @param rules refusals, and what leads past them, with regular expressions
public record SectionRewriting(
        @Nullable Boolean engine, @Nullable String below, SectionRedirects rules) {
    /// Of a section that says nothing.
    public static final SectionRewriting NONE =
            new SectionRewriting(null, null, SectionRedirects.NONE);

    /// What holds where a later section is about the same request.
    SectionRewriting then(SectionRewriting later) {
        return new SectionRewriting(
                later.engine != null ? later.engine : engine,
                later.below != null ? later.below : below,
                later.below != null ? later.rules : rules);
    }

    /// What may be the file of a request.
    ///
    /// @param text its path with what stands behind it in the request's
    /// @param file its path alone
    record Target(String text, String file) {
        /// Of a request that is for no file.
        static Target of(String text) {
            return new Target(text, text);
        }
    }

    /// The status with which a request is refused, or 0.
    ///
    /// @param targets what may be its file to httpd; one of them is enough
    /// @param linked whether links are followed, without which httpd refuses all
    int refusal(RuleRequest request, List<Target> targets, boolean linked) {
        String start = below;
        if (start == null || !Boolean.TRUE.equals(engine)) {
            return 0;
        }
        for (Target target : targets) {
            String text = target.text();
            if (start.equals(text + "/")) {
                continue;
            }
            if (!linked) {
                return 403;
            }
            String rest = text.startsWith(start) ? text.substring(start.length()) : text;
            RuleRequest asked = request.ofFile(target.file());
            if (rules.decide(asked, rest) instanceof RuleDecision.Refuse(int status)) {
                return status;
            }
        }
        return 0;
    }
}
