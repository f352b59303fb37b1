package io.margay.servlet.test;

import io.margay.servlet.resource.WebResource;
import io.margay.servlet.resource.WebResources;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// The files of an application in a map; folders are what their paths imply.
public final class MapResources implements WebResources {
    private static final long MODIFIED_MILLIS = 1_700_000_000_000L;
    private final Map<String, byte[]> files;
    private final Map<String, Path> realFiles;

    /// These files, some of which lie in the file system too.
    public MapResources(Map<String, byte[]> files, Map<String, Path> realFiles) {
        this.files = files;
        this.realFiles = realFiles;
    }

    @Override
    public WebResource get(String path) {
        byte[] content = files.get(path);
        if (content != null) {
            return new Entry(path, content, realFiles.get(path));
        }
        String folder = path.endsWith("/") ? path : path + "/";
        boolean exists =
                folder.equals("/") || files.keySet().stream().anyMatch(f -> f.startsWith(folder));
        return exists ? new Entry(path, null, null) : null;
    }

    @Override
    public Set<String> list(String path) {
        String folder = path.endsWith("/") ? path : path + "/";
        Set<String> found = new LinkedHashSet<>();
        for (String file : files.keySet()) {
            if (file.startsWith(folder)) {
                int slash = file.indexOf('/', folder.length());
                found.add(slash < 0 ? file : file.substring(0, slash + 1));
            }
        }
        return found.isEmpty() ? null : found;
    }

    @Override
    public void close() {
        files.clear();
    }

    private record Entry(String path, byte[] content, Path file) implements WebResource {
        @Override
        public boolean isFolder() {
            return content == null;
        }

        @Override
        public long length() {
            return content == null ? -1 : content.length;
        }

        @Override
        public long modifiedNanos() {
            return MODIFIED_MILLIS * 1_000_000;
        }

        @Override
        public URL url() {
            try {
                return URI.create("file:///app" + path).toURL();
            } catch (MalformedURLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public InputStream open() {
            return new ByteArrayInputStream(content);
        }
    }
}
