package io.margay.protocol.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Conditional requests (RFC 9110 §13), evaluated in the order of §13.2.2.
public final class Preconditions {
    /// What a server does with a conditional request.
    public enum Outcome {
        /// The method is carried out.
        PROCEED,
        /// The client's copy is good: 304.
        NOT_MODIFIED,
        /// The resource is not in the state that the client assumes: 412.
        PRECONDITION_FAILED
    }

    private Preconditions() {}

    /// Evaluates the conditions of a request whose answer without them would be successful.
    ///
    /// @param etag the current representation's tag, or null when it has none
    /// @param lastModifiedSecond seconds since 1970 of its last change; negative when unknown
    public static Outcome evaluate(
            String method, Fields fields, @Nullable EntityTag etag, long lastModifiedSecond) {
        if (fields.contains("if-match")) {
            if (!matches(fields.all("if-match"), etag, true)) {
                return Outcome.PRECONDITION_FAILED;
            }
        } else {
            long unmodifiedSince = date(fields, "if-unmodified-since");
            if (unmodifiedSince != HttpDate.INVALID
                    && lastModifiedSecond >= 0
                    && lastModifiedSecond > unmodifiedSince) {
                return Outcome.PRECONDITION_FAILED;
            }
        }
        boolean reading = method.equals("GET") || method.equals("HEAD");
        if (fields.contains("if-none-match")) {
            if (matches(fields.all("if-none-match"), etag, false)) {
                return reading ? Outcome.NOT_MODIFIED : Outcome.PRECONDITION_FAILED;
            }
        } else if (reading) {
            long modifiedSince = date(fields, "if-modified-since");
            if (modifiedSince != HttpDate.INVALID
                    && lastModifiedSecond >= 0
                    && lastModifiedSecond <= modifiedSince) {
                return Outcome.NOT_MODIFIED;
            }
        }
        return Outcome.PROCEED;
    }

    /// Whether a `Range` is to be honoured: `If-Range` is absent or names the current
    /// representation (RFC 9110 §13.1.5). Both its forms compare strongly.
    public static boolean rangeApplies(
            Fields fields, @Nullable EntityTag etag, long lastModifiedSecond) {
        String condition = fields.get("if-range");
        if (condition == null) {
            return true;
        }
        if (condition.startsWith("\"") || condition.startsWith("W/")) {
            EntityTag wanted = EntityTag.parse(condition);
            return wanted != null && etag != null && wanted.matchesStrongly(etag);
        }
        long date = HttpDate.parse(condition);
        return date != HttpDate.INVALID && date == lastModifiedSecond;
    }

    private static boolean matches(List<String> values, @Nullable EntityTag etag, boolean strong) {
        for (String value : values) {
            if (value.equals("*")) {
                return true;
            }
            List<EntityTag> tags = EntityTag.parseList(value);
            if (tags == null || etag == null) {
                continue;
            }
            for (EntityTag tag : tags) {
                if (strong ? tag.matchesStrongly(etag) : tag.matchesWeakly(etag)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long date(Fields fields, String name) {
        String value = fields.get(name);
        return value == null ? HttpDate.INVALID : HttpDate.parse(value);
    }
}
