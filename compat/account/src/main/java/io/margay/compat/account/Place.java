package io.margay.compat.account;

/// A line of a file. Immutable.
///
/// @param file as the user named it, or as the file that includes it does
/// @param line from 1; 0 for the file as a whole
public record Place(String file, int line) {
    /// `file:line`, which editors and terminals can follow.
    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line;
    }
}
