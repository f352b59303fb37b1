package io.margay.servlet.resource;

import java.nio.file.Path;

/// Files from elsewhere that an application has besides those of its own folder. Immutable.
///
/// @param base a folder, a JAR or a file
/// @param inner the JAR within the base, which is an archive; empty = the base is it
/// @param within the folder in it whose files these are, without slashes around it; empty = all
/// @param path where the application has them, as in `/images`; empty for its root
/// @param first whether they hide the application's own of the same names, instead of being hidden
/// @param place of the declaration, for messages
public record Mount(
        Kind kind,
        Path base,
        String inner,
        String within,
        String path,
        boolean first,
        String place) {
    /// What the base is.
    public enum Kind {
        FOLDER,
        JAR,
        FILE
    }

    /// The same of a JAR that is a file of its own.
    Mount of(Path unpacked) {
        return new Mount(kind, unpacked, "", within, path, first, place);
    }

    /// The folder whose files these are.
    Path folder() {
        return base.resolve(within);
    }
}
