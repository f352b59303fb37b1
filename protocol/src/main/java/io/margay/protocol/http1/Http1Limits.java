package io.margay.protocol.http1;

import io.soabase.recordbuilder.core.RecordBuilder;

/// How much of each kind one HTTP/1 message may have.
///
/// @param requestLineBytesMax bytes of the request line or status line, without its line end; over
///   it 414, because it is the target that grows; what most servers take
/// @param headBytesMax bytes of the whole head, start line and line ends included; over it 431; as
///   much again for the fields
/// @param fieldsMax field lines in a head; over it 431; Tomcat's default
/// @param fieldBytesMax bytes of one field line in a head, without its line end; over it 431;
///   [#NO_FIELD_LIMIT] means that the whole head alone is limited; `LimitRequestFieldSize` says it
/// @param chunkExtensionBytesMax bytes of all chunk extensions of one message together; over it
///   400; nobody uses them, and they may be sent endlessly (CVE-2023-39326)
/// @param trailerBytesMax bytes of the trailer section with its line ends; over it 400; as a
///   request line
/// @param trailersMax trailer field lines; over it 400; as in a head
/// @param bodyBytesMax bytes of content; over it 413; [#NO_BODY_LIMIT] means no limit; applications
///   limit it themselves
@RecordBuilder
public record Http1Limits(
        int requestLineBytesMax,
        int headBytesMax,
        int fieldsMax,
        int fieldBytesMax,
        int chunkExtensionBytesMax,
        int trailerBytesMax,
        int trailersMax,
        long bodyBytesMax)
        implements Http1LimitsBuilder.With {
    /// A field may be as long as the head.
    public static final int NO_FIELD_LIMIT = 0;

    /// Content of any length is allowed.
    public static final long NO_BODY_LIMIT = -1;

    public Http1Limits {
        requireAtLeast(requestLineBytesMax, 16, "requestLineBytesMax");
        requireAtLeast(headBytesMax, requestLineBytesMax, "headBytesMax");
        requireAtLeast(fieldsMax, 1, "fieldsMax");
        requireAtLeast(fieldBytesMax, NO_FIELD_LIMIT, "fieldBytesMax");
        requireAtLeast(chunkExtensionBytesMax, 0, "chunkExtensionBytesMax");
        requireAtLeast(trailerBytesMax, 2, "trailerBytesMax");
        requireAtLeast(trailersMax, 0, "trailersMax");
        if (bodyBytesMax < NO_BODY_LIMIT) {
            throw new IllegalArgumentException("bodyBytesMax is " + bodyBytesMax);
        }
    }

    /// The defaults: a request line of 8 KiB, as most servers take, and as much again for the
    /// fields; 100 fields as Tomcat; content is not limited, since applications limit it
    /// themselves.
    public static Http1Limits defaults() {
        return new Http1Limits(8192, 16384, 100, NO_FIELD_LIMIT, 1024, 8192, 100, NO_BODY_LIMIT);
    }

    /// Bytes that one field line of a head may have.
    int fieldLineBytesMax() {
        return fieldBytesMax == NO_FIELD_LIMIT ? headBytesMax : fieldBytesMax;
    }

    private static void requireAtLeast(int value, int least, String name) {
        if (value < least) {
            throw new IllegalArgumentException(name + " is " + value + ", less than " + least);
        }
    }
}
