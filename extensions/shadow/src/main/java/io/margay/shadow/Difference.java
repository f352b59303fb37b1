package io.margay.shadow;

/// One thing that is not the same in two answers. Immutable.
///
/// @param place what it is: a field, a cookie, a place of the content; without what is particular
///   to one answer, so that others with the same cause have the same
/// @param old what the old server says, as it may be shown
/// @param fresh what the new server says, as it may be shown
record Difference(Kind kind, String place, String old, String fresh) {
    private static final String PAGE_OF_ERROR = "page of the error";

    /// The same for all answers with that cause.
    String cause() {
        return place.isEmpty() ? kind.words() : kind.words() + ": " + place;
    }

    /// A place of a page of an error: such pages are one reason, wherever they differ.
    Difference inErrorPage() {
        return new Difference(kind, PAGE_OF_ERROR + " > " + place, old, fresh);
    }

    /// As it is told.
    Difference told() {
        return place.startsWith(PAGE_OF_ERROR)
                ? new Difference(Kind.CHANGED, PAGE_OF_ERROR, old, fresh)
                : this;
    }

    /// What is the same for all that differ at one place of the content.
    String spot() {
        return kind.isContent() ? "content: " + place : cause();
    }
}
