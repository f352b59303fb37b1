package io.margay.app.agreement.member;

import java.util.List;

/// A part of a message that is not the same behind both servers. Immutable.
///
/// @param where `response`, or `http`, `fcgi` or `ajp` for what a member received
/// @param part as in [Seen]
/// @param theirs httpd's values
/// @param ours Margay's values
record Difference(String where, String part, List<String> theirs, List<String> ours) {
    Difference {
        theirs = List.copyOf(theirs);
        ours = List.copyOf(ours);
    }

    @Override
    public String toString() {
        return where + " " + part + ": httpd " + theirs + ", margay " + ours;
    }
}
