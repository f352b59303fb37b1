package io.margay.servlet.resource;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The files of one application under one name space. Thread-safe.
///
/// Paths start with `/` and are canonical; any other path finds nothing. Names are compared
/// exactly, also where the file system does not, and links that lead out of the application are not
/// followed.
public interface WebResources extends AutoCloseable {
    /// The file or folder at `path`, or null.
    @Nullable WebResource get(String path);

    /// What lies directly below the folder `path`: full paths, those of folders end in `/`. Null
    /// when there is no such folder.
    @Nullable Set<String> list(String path);

    @Override
    void close();
}
