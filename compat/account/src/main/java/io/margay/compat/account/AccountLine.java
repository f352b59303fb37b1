package io.margay.compat.account;

/// What has become of one directive of a file. Immutable.
///
/// @param directive its name
/// @param text what it does here, or what happens instead, or what would be right; without names
///   and passwords in URLs
public record AccountLine(Place place, String directive, Verdict verdict, String text) {
    public AccountLine {
        text = Masked.text(text);
    }

    /// How a directive was taken.
    public enum Verdict {
        /// It does what it does in the other server.
        HONOURED,

        /// It has nothing to do here, or something that comes to the same is done.
        NOTED,

        /// Requests are answered otherwise than by the other server.
        CHANGED,

        /// It is malformed, or something would be open that was closed: nothing is served.
        WRONG;

        /// Whether nothing is served because of it.
        public boolean isRefusal() {
            return this == WRONG;
        }
    }

    /// Whether `check` fails for it.
    public boolean isFailure() {
        return verdict == Verdict.CHANGED || verdict == Verdict.WRONG;
    }

    @Override
    public String toString() {
        return place + ": " + directive + ": " + text;
    }
}
