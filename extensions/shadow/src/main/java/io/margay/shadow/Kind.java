package io.margay.shadow;

/// What is different, and whether such a thing may differ by itself.
enum Kind {
    NO_ANSWER("no answer", false),
    CUT("content ends early", false),
    STATUS("status", false),
    FIELD_MISSING("field missing", true),
    FIELD_ADDED("field added", true),
    FIELD_VALUE("field", true),
    COOKIE_MISSING("cookie missing", true),
    COOKIE_ADDED("cookie added", true),
    COOKIE_FLAGS("attributes of a cookie", true),
    FORM("form of the content", false),
    MISSING("content missing", true),
    ADDED("content added", true),
    CHANGED("content", true),
    BYTES("bytes", true);

    private final String words;
    private final boolean learned;

    Kind(String words, boolean learned) {
        this.words = words;
        this.learned = learned;
    }

    String words() {
        return words;
    }

    /// Whether a place where a server differs from itself is known as such from then on.
    boolean isLearned() {
        return learned;
    }

    /// Whether an answer has not come, or not to its end: when the old server does not answer,
    /// either, nothing does, such as at the end of this one.
    boolean isBroken() {
        return this == NO_ANSWER || this == CUT;
    }

    /// Whether it is about what is at a place of the content, whatever about it differs.
    boolean isContent() {
        return this == MISSING || this == ADDED || this == CHANGED || this == BYTES;
    }
}
