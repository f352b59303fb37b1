package io.margay.servlet.resource;

import io.margay.server.files.StoredFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// One file or folder of an application, as found at the time of the look-up.
public interface WebResource extends StoredFile {
    /// The canonical path, starting with `/`.
    @Override
    String path();

    boolean isFolder();

    /// Length in bytes, -1 for a folder.
    @Override
    long length();

    /// The file in the file system; null when it lies in a library.
    @Nullable Path file();

    /// A URL that opens it.
    URL url();

    /// Opens it for reading.
    @Override
    InputStream open() throws IOException;

    @Override
    default @Nullable FileChannel openChannel() throws IOException {
        Path file = file();
        return file == null
                ? null
                : FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }
}
