package io.margay.app.deploy;

/// Who has applications deployed, reloaded or stopped, and from where: what the log says of a
/// change. Immutable.
///
/// @param text as it ends a line of the log: `by user ops at 10.0.0.7 (API)`
public record ChangeCause(String text) {
    /// The server begins.
    public static final ChangeCause START = new ChangeCause("at start");

    /// The program that embeds the server.
    public static final ChangeCause PROGRAM = new ChangeCause("by the embedding program");

    /// A file has changed that is watched.
    public static final ChangeCause WATCHED = new ChangeCause("by auto-deploy");

    /// The last session of an old version has ended.
    public static final ChangeCause UNUSED =
            new ChangeCause("by auto-deploy: its last session has ended");

    @Override
    public String toString() {
        return text;
    }
}
