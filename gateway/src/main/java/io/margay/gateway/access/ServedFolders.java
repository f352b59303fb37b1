package io.margay.gateway.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which file a path of a host stands for. Immutable.
public final class ServedFolders {
    private final List<Mount> mounts;
    private final boolean hasFallback;

    /// Of the mounts, in their order; null where one has no folder.
    private final List<@Nullable Root> roots = new ArrayList<>();

    private ServedFolders(List<Mount> mounts) {
        List<Mount> sorted = new ArrayList<>(mounts);
        sorted.sort((one, other) -> other.prefix.length() - one.prefix.length());
        this.mounts = List.copyOf(sorted);
        hasFallback = sorted.stream().anyMatch(mount -> mount.pages.fallback() != null);
        for (Mount mount : sorted) {
            roots.add(mount.folder == null ? null : Root.of(mount.folder));
        }
    }

    /// What is known of a folder, or of a file, that is served, whatever is asked for in it.
    ///
    /// @param text its whole path
    /// @param above the paths of the folders in which it lies, from the root down
    private record Root(Path base, String text, List<String> above) {
        static Root of(Path folder) {
            Path base = folder.toAbsolutePath().normalize();
            List<String> above = new ArrayList<>();
            for (Path at = base.getParent(); at != null; at = at.getParent()) {
                above.addFirst(at.toString());
            }
            return new Root(base, base.toString(), List.copyOf(above));
        }

        boolean isFolder() {
            BasicFileAttributes file = attributes(text);
            return file != null && file.isDirectory();
        }

        /// Of a file in it, through links; null where there is none.
        @Nullable BasicFileAttributes attributes(String whole) {
            try {
                Path file = base.getFileSystem().getPath(whole);
                return Files.readAttributes(file, BasicFileAttributes.class);
            } catch (IOException | InvalidPathException e) {
                return null;
            }
        }
    }

    /// The first mount that takes a path and has a folder; -1 = none.
    private int at(String path) {
        for (int i = 0; i < mounts.size(); i++) {
            if (roots.get(i) != null && mounts.get(i).takes(path)) {
                return i;
            }
        }
        return -1;
    }

    /// What stands below a path.
    ///
    /// @param prefix empty for the root, otherwise `/…`
    /// @param folder or a file; null where no files are served
    /// @param pages what is sent where a path stands for no file
    public record Mount(String prefix, @Nullable Path folder, FolderPages pages) {
        /// With `index.html` for folders.
        public Mount(String prefix, @Nullable Path folder) {
            this(prefix, folder, FolderPages.DEFAULT);
        }

        boolean takes(String path) {
            return path.startsWith(prefix)
                    && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
        }
    }

    /// What a path stands for.
    ///
    /// @param folders every folder on the way, from the root down, without a slash at the end but
    ///   for the root; last the file itself, when it is there, which httpd walks as it does folders
    /// @param real how many of them are folders
    /// @param whole the path of the file or folder, as expressions see it
    /// @param name the last part of its path
    /// @param isFolder whether it is a folder
    /// @param info what stands behind the name, which is no folder: empty, or with a slash at the
    ///   beginning
    record Found(
            List<String> folders,
            int real,
            String whole,
            String name,
            boolean isFolder,
            String info) {
        /// Whether it is in the very folder of another file, or that folder itself.
        boolean isIn(Found file) {
            boolean named = isFolder && !whole.endsWith("/");
            return !named && folders.subList(0, real).equals(file.folders.subList(0, file.real));
        }

        /// Whether it is a file, and there.
        boolean isFile() {
            return folders.size() > real;
        }

        /// Whether nothing is there, neither what the path stands for nor a file on the way to it.
        boolean isNothing() {
            Path file = isFolder ? null : resolve(Path.of("/"), whole);
            return file != null && Files.notExists(file);
        }

        /// The same without the file among the folders.
        Found withoutFile() {
            return new Found(folders.subList(0, real), real, whole, name, isFolder, info);
        }
    }

    public static ServedFolders of(List<Mount> mounts) {
        return new ServedFolders(mounts);
    }

    /// Whether what answers a path is files, as far as routes decide.
    boolean isFiles(String path) {
        for (Mount mount : mounts) {
            if (mount.takes(path)) {
                return mount.folder != null;
            }
        }
        return false;
    }

    /// The folder from which a path is served; null where none is.
    @Nullable Path root(String path) {
        int at = at(path);
        Root root = at < 0 ? null : roots.get(at);
        return root == null ? null : root.base;
    }

    /// What a path stands for. One for which no files are served lies in a folder of which nothing
    /// is known but that it is below the root.
    Found find(String path) {
        int at = at(path);
        Root root = at < 0 ? null : roots.get(at);
        if (root != null) {
            return find(root, path.substring(mounts.get(at).prefix.length()));
        }
        String name = path.substring(path.lastIndexOf('/') + 1);
        return new Found(List.of("/"), 0, path, name, false, "");
    }

    /// The whole path of what a path stands for, be it there or not; null where no files are
    /// served.
    @Nullable String mapped(String path) {
        int at = at(path);
        Root root = at < 0 ? null : roots.get(at);
        return root == null
                ? null
                : (root.text.equals("/") ? "" : root.text)
                        .concat(path.substring(mounts.get(at).prefix.length()));
    }

    /// Whether somewhere a file takes the place of those that are not there.
    boolean hasFallback() {
        return hasFallback;
    }

    /// What serves a path, or null.
    @Nullable Mount mount(String path) {
        for (Mount mount : mounts) {
            if (mount.takes(path)) {
                return mount.folder == null ? null : mount;
            }
        }
        return null;
    }

    /// The path of requests for what lies in a folder, with a slash at the end; null where it is
    /// not served.
    ///
    /// @param below the folder's path, with a slash at the end
    @Nullable String prefix(String below) {
        String found = null;
        for (Mount mount : mounts) {
            if (mount.folder != null) {
                String base = mount.folder.toAbsolutePath().normalize() + "/";
                if (below.startsWith(base)) {
                    // The shortest prefix comes last: what lies in the root is known by that.
                    found = mount.prefix + "/" + below.substring(base.length());
                }
            }
        }
        return found;
    }

    /// Whether a link is met on the way to a file, below what is served.
    boolean hasLink(String path) {
        for (Mount mount : mounts) {
            if (mount.takes(path) && mount.folder != null) {
                String rest = path.substring(mount.prefix.length());
                Path file = resolve(mount.folder, rest);
                for (Path at = file; at != null && !at.equals(mount.folder); at = at.getParent()) {
                    if (Files.isSymbolicLink(at)) {
                        return true;
                    }
                }
                return file == null;
            }
        }
        return false;
    }

    /// What is sent where a path stands for no file, as its route has it; paths of the host.
    SectionPages pages(String path) {
        for (Mount mount : mounts) {
            if (mount.takes(path) && mount.folder != null) {
                String page = mount.pages.fallback();
                return new SectionPages(
                        mount.pages.index(), page == null ? "" : mount.prefix + page);
            }
        }
        return new SectionPages(List.of(), "");
    }

    private static @Nullable Path resolve(Path folder, String rest) {
        try {
            return rest.length() < 2 ? folder : folder.resolve(rest.substring(1));
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /// As httpd walks: down to the first name that is no folder.
    static Found find(Path root, String rest) {
        return find(Root.of(root), rest);
    }

    private static Found find(Root root, String rest) {
        List<String> folders = new ArrayList<>(root.above.size() + 3);
        folders.addAll(root.above);
        folders.add(root.text);
        String whole = root.text;
        String name = "";
        boolean isFolder = true;
        int real = folders.size();
        String info = "";
        int from = 1;
        boolean isKnown = false;
        while (from < rest.length()) {
            int slash = rest.indexOf('/', from);
            int end = slash < 0 ? rest.length() : slash;
            name = rest.substring(from, end);
            whole = (whole.equals("/") ? "" : whole) + "/" + name;
            BasicFileAttributes file = root.attributes(whole);
            // What lies in the root tells that it is a folder.
            if (!isKnown && (file == null || name.isEmpty()) && !root.isFolder()) {
                return single(root, rest);
            }
            isKnown = true;
            isFolder = file != null && file.isDirectory();
            if (!isFolder) {
                if (slash < 0 && file != null && file.isRegularFile()) {
                    folders.add(whole);
                }
                info = rest.substring(end);
                break;
            }
            folders.add(whole);
            real++;
            from = end + 1;
        }
        if (!isKnown && !root.isFolder()) {
            return single(root, rest);
        }
        boolean ends = isFolder && (rest.endsWith("/") || rest.isEmpty());
        return new Found(
                folders,
                real,
                ends && !whole.endsWith("/") ? whole + "/" : whole,
                ends ? "" : name,
                isFolder,
                info);
    }

    /// Of a path below what is served and is no folder.
    private static Found single(Root root, String rest) {
        List<String> folders = new ArrayList<>(root.above);
        folders.add(root.text);
        String name = String.valueOf(root.base.getFileName());
        return new Found(folders, root.above.size(), root.text, name, false, rest);
    }
}
