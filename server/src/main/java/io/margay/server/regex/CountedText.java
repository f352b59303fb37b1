package io.margay.server.regex;

/// A text that counts how often its characters are looked at, so that a search in it comes to an
/// end. Confined to one search.
public final class CountedText implements CharSequence {
    /// There are no steps left.
    public static final class EndedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private EndedException() {
            super("no steps are left", null, false, false);
        }
    }

    private final String text;
    private int left;

    /// @param steps how many characters may be looked at
    public CountedText(String text, int steps) {
        this.text = text;
        left = steps;
    }

    @Override
    public int length() {
        return text.length();
    }

    /// @throws EndedException when there are no steps left
    @Override
    public char charAt(int index) {
        if (--left < 0) {
            throw new EndedException();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
