package io.margay.app.yaml;

import io.margay.compat.account.Masked;

/// One thing that is wrong with a file. Immutable.
///
/// @param message what is wrong and what would be right, without the position, and without names
///   and passwords in URLs
public record Problem(Position position, String message) implements Comparable<Problem> {
    public Problem {
        message = Masked.text(message);
    }

    @Override
    public int compareTo(Problem other) {
        return position.compareTo(other.position);
    }

    @Override
    public String toString() {
        return position + ": " + message;
    }
}
