package io.margay.app.yaml;

/// One thing that is wrong with a file. Immutable.
///
/// @param message what is wrong and what would be right, without the position
public record Problem(Position position, String message) implements Comparable<Problem> {
    @Override
    public int compareTo(Problem other) {
        return position.compareTo(other.position);
    }

    @Override
    public String toString() {
        return position + ": " + message;
    }
}
