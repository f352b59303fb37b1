package io.margay.protocol.http;

/// Reads a Dictionary of Structured Fields (RFC 8941 §3.2): the whole of it must be well-formed, of
/// its values only integers and booleans are told. For one text, by one thread.
public final class StructuredDictionary {
    private static final int INTEGER_DIGITS_MAX = 15;
    private static final int DECIMAL_DIGITS_MAX = 12;
    private static final int FRACTION_DIGITS_MAX = 3;
    private static final String IN_KEY = "_-.*";
    private static final String IN_TOKEN = "!#$%&'*+-.^_`|~:/";

    /// Who is told of the members, in their order; a name may come again.
    public interface Members {
        void integer(String key, long value);

        void bool(String key, boolean value);

        /// A member of another type.
        void other(String key);
    }

    /// What a bare item is.
    private enum Kind {
        INTEGER,
        BOOLEAN,
        OTHER,
        NONE
    }

    private final String text;
    private int at;
    private long number;

    private StructuredDictionary(String text) {
        this.text = text;
    }

    /// Reads a field's value, several lines of which have been joined by commas.
    ///
    /// @return whether it is well-formed; what was told counts only then
    public static boolean read(String value, Members members) {
        return new StructuredDictionary(value).members(members);
    }

    private boolean members(Members members) {
        skipSpaces();
        while (at < text.length()) {
            if (!member(members)) {
                return false;
            }
            skipBlanks();
            if (at == text.length()) {
                break;
            }
            if (!take(',')) {
                return false;
            }
            skipBlanks();
            if (at == text.length()) {
                return false;
            }
        }
        return true;
    }

    private boolean member(Members members) {
        String key = key();
        if (key.isEmpty()) {
            return false;
        }
        Kind kind = Kind.BOOLEAN;
        number = 1;
        if (take('=')) {
            kind = peek() == '(' ? innerList() : bareItem();
        }
        long value = number;
        if (kind == Kind.NONE || !parameters()) {
            return false;
        }
        switch (kind) {
            case INTEGER -> members.integer(key, value);
            case BOOLEAN -> members.bool(key, value == 1);
            default -> members.other(key);
        }
        return true;
    }

    private Kind innerList() {
        at++;
        while (at < text.length()) {
            skipSpaces();
            if (take(')')) {
                return Kind.OTHER;
            }
            if (bareItem() == Kind.NONE || !parameters() || (peek() != ' ' && peek() != ')')) {
                return Kind.NONE;
            }
        }
        return Kind.NONE;
    }

    private boolean parameters() {
        while (take(';')) {
            skipSpaces();
            if (key().isEmpty() || (take('=') && bareItem() == Kind.NONE)) {
                return false;
            }
        }
        return true;
    }

    /// A key; empty when there is none.
    private String key() {
        int start = at;
        if (isLower(peek()) || peek() == '*') {
            while (isLower(peek()) || isDigit(peek()) || isIn(IN_KEY)) {
                at++;
            }
        }
        return text.substring(start, at);
    }

    private Kind bareItem() {
        char first = peek();
        if (first == '-' || isDigit(first)) {
            return number();
        }
        if (first == '?') {
            at++;
            number = (long) peek() - '0';
            return take('0') || take('1') ? Kind.BOOLEAN : Kind.NONE;
        }
        if (first == '"') {
            return string() ? Kind.OTHER : Kind.NONE;
        }
        if (first == ':') {
            return octets() ? Kind.OTHER : Kind.NONE;
        }
        if (isLetter(first) || first == '*') {
            while (isLetter(peek()) || isDigit(peek()) || isIn(IN_TOKEN)) {
                at++;
            }
            return Kind.OTHER;
        }
        return Kind.NONE;
    }

    private Kind number() {
        boolean negative = take('-');
        int start = at;
        number = 0;
        while (isDigit(peek()) && at - start < INTEGER_DIGITS_MAX) {
            number = number * 10 + peek() - '0';
            at++;
        }
        int digits = at - start;
        if (digits == 0 || isDigit(peek())) {
            return Kind.NONE;
        }
        number = negative ? -number : number;
        if (!take('.')) {
            return Kind.INTEGER;
        }
        start = at;
        while (isDigit(peek())) {
            at++;
        }
        boolean fits = digits <= DECIMAL_DIGITS_MAX && at - start <= FRACTION_DIGITS_MAX;
        return fits && at > start ? Kind.OTHER : Kind.NONE;
    }

    private boolean string() {
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return true;
            }
            if (c == '\\' && !take('"') && !take('\\')) {
                return false;
            }
            if (c < ' ' || c > '~') {
                return false;
            }
        }
        return false;
    }

    private boolean octets() {
        at++;
        while (isLetter(peek()) || isDigit(peek()) || isIn("+/=")) {
            at++;
        }
        return take(':');
    }

    private void skipSpaces() {
        while (peek() == ' ') {
            at++;
        }
    }

    private void skipBlanks() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    /// The next character, NUL at the end.
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean take(char expected) {
        if (peek() != expected) {
            return false;
        }
        at++;
        return true;
    }

    private boolean isIn(String set) {
        return set.indexOf(peek()) >= 0;
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isLetter(char c) {
        return isLower(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
