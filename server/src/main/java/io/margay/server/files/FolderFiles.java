package io.margay.server.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The files below a folder. Thread-safe.
record FolderFiles(FolderLookup lookup) implements FileSource {
    @Override
    public @Nullable StoredFile find(String path) {
        FolderLookup.Found found = lookup.find(path);
        return found == null || !found.attributes().isRegularFile()
                ? null
                : new RealFile(
                        path,
                        found,
                        found.attributes().size(),
                        found.attributes().lastModifiedTime().to(TimeUnit.NANOSECONDS));
    }

    private record RealFile(String path, FolderLookup.Found found, long length, long modifiedNanos)
            implements StoredFile {
        @Override
        public InputStream open() throws IOException {
            return found.input();
        }

        @Override
        public FileChannel openChannel() throws IOException {
            return found.open();
        }

        @Override
        public boolean isSameAs(StoredFile other) {
            return other instanceof RealFile file
                    && found.real().equals(file.found.real())
                    && length == file.length
                    && modifiedNanos == file.modifiedNanos;
        }
    }
}
