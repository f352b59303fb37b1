package io.margay.server.files;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.MediaTypes;
import io.margay.protocol.http.PercentEncoding;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Serves the files of a folder, on the loop: GET, HEAD and OPTIONS; conditions, ranges, welcome
/// files, precompressed variants. Thread-safe.
///
/// Whatever is not a regular file inside the folder is answered with 404, whether it does not exist
/// or may not be seen.
public final class StaticFiles implements Handler {
    /// Octets of a text in a listing.
    private static final int INSET_BYTES_MAX = 1 << 20;

    private static final String METHODS = "GET, HEAD, OPTIONS";

    /// RFC 8615.
    private static final String WELL_KNOWN = "/.well-known";

    private final StaticFilesConfig config;
    private final FolderLookup lookup;
    private final FileCache cache;
    private final RandomGenerator random;
    private final FileRules rules;

    /// The folder, or the only file, as it is configured.
    private final Path base;

    /// The same with all links followed, as it was when this was made.
    private final Path real;

    /// The path of the only file that is served, in its folder; null for all of a folder.
    private final @Nullable String only;

    /// @param random makes the boundaries between ranges
    /// @throws IOException when the folder or file does not exist
    public StaticFiles(StaticFilesConfig config, RandomGenerator random) throws IOException {
        this(config, random, FileRules.NONE, new Parents());
    }

    /// @param rules asked of each file before it is sent
    /// @param parents seen in this moment
    /// @throws IOException when the folder or file does not exist
    public StaticFiles(
            StaticFilesConfig config, RandomGenerator random, FileRules rules, Parents parents)
            throws IOException {
        this.config = config;
        this.random = random;
        this.rules = rules;
        Parents.Place place = parents.place(config.root());
        Path root = place.real;
        Path parent = root.getParent();
        Path folder = parent != null && place.isFile ? parent : root;
        only = folder.equals(root) ? null : "/" + root.getFileName();
        base = config.root().toAbsolutePath().normalize();
        real = root;
        lookup =
                new FolderLookup(
                        FolderLookup.Links.WITHIN,
                        folder,
                        config.limits().freshFor(),
                        System::nanoTime);
        cache =
                new FileCache(
                        new FolderFiles(lookup),
                        config.limits(),
                        config.precompressed(),
                        this::type,
                        System::nanoTime);
    }

    /// Where folders lie that others lie in, as far as somebody has looked: many folders may lie in
    /// one. Confined to one thread.
    public static final class Parents {
        /// Elsewhere a folder may have another name than it was asked for by, as by its case.
        private static final boolean NAMES_ARE_EXACT =
                System.getProperty("os.name", "").equals("Linux");

        private final Map<Path, Path> real = new HashMap<>();

        /// @param real with all links followed
        private record Place(Path real, boolean isFile) {}

        private Place place(Path path) throws IOException {
            Path parent = path.getParent();
            Path name = path.getFileName();
            if (NAMES_ARE_EXACT && parent != null && name != null && !isUpwards(name)) {
                BasicFileAttributes found =
                        Files.readAttributes(
                                path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (!found.isSymbolicLink()) {
                    return new Place(of(parent).resolve(name), found.isRegularFile());
                }
            }
            Path followed = path.toRealPath();
            return new Place(followed, Files.isRegularFile(followed));
        }

        private Path of(Path folder) throws IOException {
            Path known = real.get(folder);
            if (known == null) {
                known = folder.toRealPath();
                real.put(folder, known);
            }
            return known;
        }

        private static boolean isUpwards(Path name) {
            String text = name.toString();
            return text.equals("..") || text.equals(".");
        }
    }

    /// Whether the folder or file is still the one that this serves: a link may lead elsewhere now,
    /// or a file have come in place of a folder.
    ///
    /// @param parents seen in this moment
    public boolean isWhereItWas(Parents parents) {
        try {
            Parents.Place now = parents.place(config.root());
            return now.isFile == (only != null) && now.real.equals(real);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        handle(exchange, exchange.path());
    }

    /// The same for another path than the client has asked for.
    public void handle(Exchange exchange, CanonicalPath path) throws IOException {
        RequestHead head = exchange.request();
        switch (head.method()) {
            case "GET", "HEAD" -> {}
            case "OPTIONS" -> {
                exchange.fields().set("Allow", METHODS);
                exchange.end();
                return;
            }
            case "POST" -> {
                if (isMissing(path)) {
                    StatusResponse.plain(exchange, 404);
                    return;
                }
                exchange.fields().set("Allow", METHODS);
                StatusResponse.plain(exchange, 405);
                return;
            }
            default -> {
                exchange.fields().set("Allow", METHODS);
                StatusResponse.plain(exchange, 405);
                return;
            }
        }
        if (path.error() != null) {
            StatusResponse.plain(exchange, path.error().status(), path.error().text());
            return;
        }
        String inside = inside(path.path());
        if (inside == null || path.keepsSlashes()) { // No file's name has a slash.
            StatusResponse.plain(exchange, 404);
            return;
        }
        FileEntry entry = inside.endsWith("/") ? null : cache.find(inside);
        if (entry != null) {
            send(exchange, entry);
        } else {
            folder(exchange, path, inside);
        }
    }

    private boolean isMissing(CanonicalPath path) {
        String inside = path.error() == null ? inside(path.path()) : null;
        return inside == null
                || (!inside.endsWith("/")
                        && config.fallback() == null
                        && lookup.find(inside) == null);
    }

    /// The path below the mount, or null when it is not ours to show.
    private @Nullable String inside(String path) {
        String mount = config.mount();
        if (!path.startsWith(mount)) {
            return null;
        }
        if (only != null) {
            return path.length() == mount.length() ? only : null;
        }
        String rest = path.length() == mount.length() ? "/" : path.substring(mount.length());
        if (rest.charAt(0) != '/' || (config.guarded() && isGuarded(rest))) {
            return null;
        }
        return config.dotFiles() || !hasDotFile(rest) ? rest : null;
    }

    /// Whether a name begins with a dot: `.git`, `.env`, `.htaccess`, what editors leave behind.
    private static boolean hasDotFile(String path) {
        int dot = path.indexOf("/.");
        if (dot == 0 && isBelow(path, WELL_KNOWN)) {
            dot = path.indexOf("/.", WELL_KNOWN.length());
        }
        return dot >= 0;
    }

    private static boolean isGuarded(String path) {
        return isBelow(path, "/WEB-INF") || isBelow(path, "/META-INF");
    }

    private static boolean isBelow(String path, String folder) {
        int length = folder.length();
        return path.regionMatches(true, 0, folder, 0, length)
                && (path.length() == length || path.charAt(length) == '/');
    }

    private void folder(Exchange exchange, CanonicalPath canonical, String inside)
            throws IOException {
        String path = canonical.path();
        boolean ends = inside.length() > 1 && inside.endsWith("/");
        FolderLookup.Found found =
                lookup.find(ends ? inside.substring(0, inside.length() - 1) : inside);
        if (found == null || !found.attributes().isDirectory()) {
            missing(exchange);
            return;
        }
        if (!path.endsWith("/")) {
            // From the canonical path, which never begins with two slashes (CVE-2018-11784).
            String query = exchange.request().target().rawQuery();
            String target =
                    PercentEncoding.path(path)
                            + "/"
                            + (query == null ? "" : "?" + PercentEncoding.target(query));
            exchange.fields().set("Location", target);
            StatusResponse.plain(exchange, 301);
            return;
        }
        for (String name : config.welcome()) {
            FileEntry entry = cache.find(inside + name);
            if (entry != null) {
                send(exchange, entry);
                return;
            }
        }
        FolderPage listed = only == null ? rules.listing(exchange, canonical) : null;
        if (listed != null) {
            exchange.dispatch(() -> list(exchange, listed, found, inside));
        } else if (config.listing()) {
            byte[] page = Listing.of(found.real(), path, inside.equals("/") && config.guarded());
            exchange.fields().set("Content-Type", "text/html;charset=utf-8");
            exchange.end(page, 0, page.length);
        } else if (config.welcome().isEmpty()) {
            StatusResponse.plain(exchange, 404);
        } else {
            missing(exchange);
        }
    }

    /// Lists a folder by the descriptors of the folders above it; what lies in it and is a link is
    /// looked for as a request for it would be.
    private void list(
            Exchange exchange, FolderPage page, FolderLookup.Found folder, String inside) {
        try {
            List<FolderPage.Entry> entries = new ArrayList<>();
            Beneath.list(folder.root(), folder.real(), Listing.NAMES_MAX)
                    .forEach((name, attributes) -> {
                        boolean seen = !isHidden(inside + name);
                        FolderLookup.Found found =
                                seen && attributes.isSymbolicLink()
                                        ? lookup.find(inside + name)
                                        : null;
                        BasicFileAttributes shown = found == null ? attributes : found.attributes();
                        boolean isFolder = shown.isDirectory();
                        if (seen
                                && (isFolder || shown.isRegularFile())
                                && page.shows(name, isFolder)) {
                            entries.add(
                                    new FolderPage.Entry(
                                            name,
                                            isFolder,
                                            isFolder ? -1 : shown.size(),
                                            shown.lastModifiedTime().toMillis()));
                        }
                    });
            byte[] content = page.content(entries, link -> inset(exchange, page, inside, link));
            exchange.fields().set("Content-Type", page.type());
            exchange.end(content, 0, content.length);
        } catch (IOException e) {
            exchange.abort();
        }
    }

    private boolean isHidden(String path) {
        return (config.guarded() && isGuarded(path)) || (!config.dotFiles() && hasDotFile(path));
    }

    /// A text that is part of a listing.
    ///
    /// @param folder path below the mount, with a slash at the end
    private FolderPage.@Nullable Inset inset(
            Exchange exchange, FolderPage page, String folder, String link) {
        boolean whole = link.startsWith("/");
        CanonicalPath path =
                CanonicalPath.of(
                        PercentEncoding.path(whole ? link : config.mount() + folder + link));
        String name = path.error() == null ? inside(path.path()) : null;
        if (name == null || name.endsWith("/")) {
            return null;
        }
        FolderLookup.Found found = lookup.find(name);
        if (found == null
                || !found.attributes().isRegularFile()
                || found.attributes().size() > INSET_BYTES_MAX
                || !page.opens(path.path())) {
            return null;
        }
        FileRules.FileRule rule = rules.of(exchange, base.resolve(name.substring(1)));
        if (!rule.sent()) {
            return null;
        }
        try (InputStream in = found.input()) {
            return new FolderPage.Inset(
                    rule.typed() ? rule.type() : type(name), in.readNBytes(INSET_BYTES_MAX));
        } catch (IOException e) {
            return null;
        }
    }

    private void missing(Exchange exchange) throws IOException {
        String fallback = config.fallback();
        FileEntry entry = fallback == null ? null : cache.find(fallback);
        if (entry == null) {
            StatusResponse.plain(exchange, 404);
        } else {
            send(exchange, entry);
        }
    }

    private void send(Exchange exchange, FileEntry known) throws IOException {
        FileEntry found = known;
        if (!rules.equals(FileRules.NONE)) {
            String name = known.file().path();
            Path asked = only == null ? base.resolve(name.substring(1)) : base;
            FileRules.FileRule rule = rules.of(exchange, asked);
            if (!rule.sent()) {
                StatusResponse.plain(exchange, 404);
                return;
            }
            found = rule.typed() ? known.typed(rule.type()) : known;
        }
        RequestHead head = exchange.request();
        FieldList fields = exchange.fields();
        boolean whole = exchange.isWhole(found.type());
        FileResponse answer = FileResponse.of(found, head.method(), head.fields(), whole);
        if (config.cacheControl() != null) {
            fields.add("Cache-Control", config.cacheControl());
        }
        if (answer.isReady()) {
            answer.send(exchange);
            return;
        }
        answer.describe(fields::add);
        if (answer.type() != null) {
            fields.add("Content-Type", answer.type());
        }
        switch (answer.kind()) {
            case NOT_MODIFIED -> throw new IllegalStateException("ready");
            case PRECONDITION_FAILED -> StatusResponse.plain(exchange, 412);
            case UNSATISFIABLE -> StatusResponse.plain(exchange, 416);
            case WHOLE -> fromFile(exchange, answer.file(), 0, answer.file().length());
            case PART -> {
                exchange.status(206);
                fromFile(exchange, answer.file(), answer.range().first(), answer.range().length());
            }
            case PARTS -> {
                exchange.status(206);
                String boundary = Long.toHexString(random.nextLong() | Long.MIN_VALUE);
                RangeSender sender = new RangeSender(exchange, answer, boundary);
                fields.add("Content-Type", "multipart/byteranges; boundary=" + boundary);
                fields.set("Content-Length", Long.toString(sender.length()));
                sender.run();
            }
        }
    }

    private static void fromFile(Exchange exchange, FileEntry entry, long from, long length)
            throws IOException {
        FileChannel file = null;
        if (!exchange.request().isHead()) {
            try {
                file = open(entry);
            } catch (IOException e) {
                exchange.fields().clear();
                StatusResponse.plain(exchange, 404);
                return;
            }
        }
        exchange.fields().set("Content-Length", Long.toString(length));
        if (file != null) {
            exchange.sendFile(file, from, length);
        }
        exchange.end();
    }

    /// Opens a file that was looked at just before.
    static FileChannel open(FileEntry entry) throws IOException {
        return Objects.requireNonNull(entry.file().openChannel(), "in the file system");
    }

    private @Nullable String type(String name) {
        String type = MediaTypes.ofFileName(name);
        String charset = config.charset();
        boolean text =
                type != null
                        && (type.startsWith("text/")
                                || type.equals("application/javascript")
                                || type.equals("application/json")
                                || type.endsWith("+xml")
                                || type.equals("application/xml"));
        return text && charset != null ? type + ";charset=" + charset : type;
    }
}
