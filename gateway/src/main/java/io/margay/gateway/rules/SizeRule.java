package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/// How large requests of a host may be, beside what its listener takes. Immutable.
///
/// @param when what must also hold of requests that it is about
/// @param contentBytesMax bytes of content, or [#ANY]; over it 413
/// @param targetBytesMax bytes of path and query, or [#ANY]; over it 414
/// @param fieldsMax fields, or [#ANY]; over it 431
/// @param fieldBytesMax bytes of the name and value of one field, or [#ANY]; over it 431
@RecordBuilder
public record SizeRule(
        PathMatch match,
        List<Condition> when,
        long contentBytesMax,
        long targetBytesMax,
        long fieldsMax,
        long fieldBytesMax) {
    /// No limit.
    public static final long ANY = -1;

    public SizeRule {
        when = List.copyOf(when);
        if (contentBytesMax < ANY
                || targetBytesMax < ANY
                || fieldsMax < ANY
                || fieldBytesMax < ANY) {
            throw new IllegalArgumentException("sizes must not be negative");
        }
        if (contentBytesMax == ANY
                && targetBytesMax == ANY
                && fieldsMax == ANY
                && fieldBytesMax == ANY) {
            throw new IllegalArgumentException("a limit of sizes limits nothing");
        }
    }
}
