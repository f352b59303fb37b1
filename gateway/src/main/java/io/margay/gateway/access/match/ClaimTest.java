package io.margay.gateway.access.match;

import io.margay.gateway.rules.regex.BoundedRegex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a claim of a user must be, written as mod_auth_openidc does: `name:value`, or
/// `name~expression`. Immutable.
///
/// @param text as it is written
/// @param name of the claim
/// @param value that it must have, or one of its values
/// @param regex that must be found in one of them in place of that; null = none
public record ClaimTest(String text, String name, String value, @Nullable BoundedRegex regex) {
    /// Reads one.
    ///
    /// @throws IllegalArgumentException when it is malformed
    public static ClaimTest parse(String text) {
        int from = text.matches("[a-z]+://.*") ? text.indexOf("://") + 3 : 0;
        int colon = text.indexOf(':', from);
        int tilde = text.indexOf('~', from);
        boolean regex = tilde >= 0 && (colon < 0 || tilde < colon);
        int end = regex ? tilde : colon;
        if (end <= 0) {
            throw new IllegalArgumentException("a claim is name:value or name~expression");
        }
        String value = text.substring(end + 1);
        return new ClaimTest(
                text, text.substring(0, end), value, regex ? BoundedRegex.of(value) : null);
    }

    /// Whether one of the values of the claim is what it must be.
    public boolean holds(List<String> values) {
        BoundedRegex pattern = regex;
        return pattern == null
                ? values.contains(value)
                : values.stream().anyMatch(one -> pattern.find(one) != null);
    }
}
