package io.margay.servlet.resource;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One file or folder of an application, as found at the time of the look-up.
public interface WebResource {
    /// The canonical path, starting with `/`.
    String path();

    boolean isFolder();

    /// Length in bytes, -1 for a folder.
    long length();

    /// Milliseconds since the epoch, 0 when unknown.
    long lastModifiedMillis();

    /// The file in the file system; null when it lies in a library.
    @Nullable Path file();

    /// A URL that opens it.
    URL url();

    /// Opens it for reading.
    InputStream open() throws IOException;
}
