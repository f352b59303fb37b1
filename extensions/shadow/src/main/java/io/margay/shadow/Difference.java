package io.margay.shadow;

/// One thing that is not the same in two answers. Immutable.
///
/// @param place what it is: a field, a cookie, a place of the content; without what is particular
///   to one answer, so that others with the same cause have the same
/// @param old what the old server says, as it may be shown
/// @param fresh what the new server says, as it may be shown
record Difference(Kind kind, String place, String old, String fresh) {
    /// The same for all answers with that cause.
    String cause() {
        return place.isEmpty() ? kind.words() : kind.words() + ": " + place;
    }

    /// What is the same for all that differ at one place of the content.
    String spot() {
        return kind.isContent() ? "content: " + place : cause();
    }
}
