package io.margay.app.yaml;

/// A place in a file. Immutable.
///
/// @param file as the user named it
/// @param line from 1
/// @param column from 1, in characters
public record Position(String file, int line, int column) implements Comparable<Position> {
    @Override
    public int compareTo(Position other) {
        int byFile = file.compareTo(other.file);
        if (byFile != 0) {
            return byFile;
        }
        int byLine = Integer.compare(line, other.line);
        return byLine != 0 ? byLine : Integer.compare(column, other.column);
    }

    /// `file:line:column`, which editors and terminals can follow.
    @Override
    public String toString() {
        return file + ":" + line + ":" + column;
    }
}
