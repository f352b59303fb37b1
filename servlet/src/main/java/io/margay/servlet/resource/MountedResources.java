package io.margay.servlet.resource;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Files of several places, each at a path of its own, under one name space. What comes first hides
/// what comes later. Thread-safe.
public final class MountedResources implements WebResources {
    private final List<Part> parts;

    /// The files of one place.
    ///
    /// @param path where they are, as in `/images`; empty for the root
    /// @param files closed with all
    /// @param file the only one of them that is there, and it is at the path itself; null = all are
    public record Part(String path, WebResources files, @Nullable String file) {
        /// A path as the place knows it; null when it is none of this place.
        private @Nullable String within(String asked) {
            if (!asked.startsWith(path)) {
                return null;
            }
            String rest = asked.substring(path.length());
            if (file != null) {
                return rest.isEmpty() ? file : null;
            }
            if (rest.isEmpty()) {
                return "/";
            }
            return rest.startsWith("/") ? rest : null;
        }
    }

    public MountedResources(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    @Override
    public @Nullable WebResource get(String path) {
        for (Part part : parts) {
            String within = part.within(path);
            WebResource found = within == null ? null : part.files.get(within);
            if (found != null) {
                String bare = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
                return part.path.isEmpty() ? found : new Mounted(bare, found);
            }
        }
        return null;
    }

    @Override
    public @Nullable Set<String> list(String path) {
        WebResource listed = get(path);
        if (listed == null || !listed.isFolder()) {
            return null;
        }
        String folder = path.endsWith("/") ? path : path + "/";
        Set<String> all = new TreeSet<>();
        for (Part part : parts) {
            String within = part.file == null ? part.within(path) : null;
            Set<String> found = within == null ? null : part.files.list(within);
            if (found != null) {
                found.forEach(one -> all.add(part.path + one));
            } else if (part.path.startsWith(folder)
                    && part.path.indexOf('/', folder.length()) < 0) {
                all.add(part.file == null ? part.path + "/" : part.path);
            }
        }
        return all;
    }

    @Override
    public void close() {
        parts.forEach(part -> part.files.close());
    }

    /// A file under the path at which the application has it.
    private record Mounted(String path, WebResource real) implements WebResource {
        @Override
        public boolean isFolder() {
            return real.isFolder();
        }

        @Override
        public long length() {
            return real.length();
        }

        @Override
        public long modifiedNanos() {
            return real.modifiedNanos();
        }

        @Override
        public @Nullable Path file() {
            return real.file();
        }

        @Override
        public URL url() {
            return real.url();
        }

        @Override
        public InputStream open() throws IOException {
            return real.open();
        }

        @Override
        public @Nullable FileChannel openChannel() throws IOException {
            return real.openChannel();
        }
    }
}
