package io.margay.app.admin;

/// Says which application is meant. Immutable.
///
/// @param host name of its host; empty = the first one of the configuration
/// @param path context path: empty for the root, otherwise `/` and a name
/// @param version empty for none
public record AppRef(String host, String path, String version) {
    /// The path as users write it.
    public String shownPath() {
        return path.isEmpty() ? "/" : path;
    }
}
