package io.margay.server.files;

import io.margay.protocol.http.AcceptEncoding;
import io.margay.protocol.http.ByteRanges;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Preconditions;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.Answers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Serves the files of a folder, on the loop: GET, HEAD and OPTIONS; conditions, ranges, welcome
/// files, precompressed variants. Thread-safe.
///
/// Whatever is not a regular file inside the folder is answered with 404, whether it does not exist
/// or may not be seen.
public final class StaticFiles implements Handler {
    private static final String METHODS = "GET, HEAD, OPTIONS";
    private static final String HEX = "0123456789ABCDEF";
    private static final String UNRESERVED = "-._~!$&'()*+,=:@/";

    private final StaticFilesConfig config;
    private final FileCache cache;
    private final RandomGenerator random;

    /// The path of the only file that is served, in its folder; null for all of a folder.
    private final @Nullable String only;

    /// @param random makes the boundaries between ranges
    /// @throws IOException when the folder or file does not exist
    public StaticFiles(StaticFilesConfig config, RandomGenerator random) throws IOException {
        this.config = config;
        this.random = random;
        Path root = config.root().toRealPath();
        Path parent = root.getParent();
        if (parent != null && Files.isRegularFile(root)) {
            only = "/" + root.getFileName();
            cache = new FileCache(config, parent);
        } else {
            only = null;
            cache = new FileCache(config, root);
        }
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        RequestHead head = exchange.request();
        switch (head.method()) {
            case "GET", "HEAD" -> {}
            case "OPTIONS" -> {
                exchange.fields().set("Allow", METHODS);
                exchange.end();
                return;
            }
            default -> {
                exchange.fields().set("Allow", METHODS);
                Answers.plain(exchange, 405);
                return;
            }
        }
        CanonicalPath path = exchange.path();
        if (path.error() != null) {
            Answers.plain(exchange, path.error().status(), path.error().text());
            return;
        }
        String inside = inside(path.path());
        if (inside == null) {
            Answers.plain(exchange, 404);
            return;
        }
        FileEntry entry = inside.endsWith("/") ? null : cache.find(inside);
        if (entry != null) {
            send(exchange, entry);
        } else {
            folder(exchange, path.path(), inside);
        }
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
        return rest;
    }

    private static boolean isGuarded(String path) {
        int end = path.indexOf('/', 1);
        String first = path.substring(1, end < 0 ? path.length() : end);
        return first.equalsIgnoreCase("WEB-INF") || first.equalsIgnoreCase("META-INF");
    }

    private void folder(Exchange exchange, String path, String inside) throws IOException {
        Path folder = cache.folder(inside);
        if (folder == null) {
            Answers.plain(exchange, 404);
            return;
        }
        if (!path.endsWith("/")) {
            // From the canonical path, which never begins with two slashes (CVE-2018-11784).
            String query = exchange.request().target().rawQuery();
            String target = encode(path) + "/" + (query == null ? "" : "?" + query);
            exchange.fields().set("Location", target);
            Answers.plain(exchange, 302);
            return;
        }
        for (String name : config.welcome()) {
            FileEntry entry = cache.find(inside + name);
            if (entry != null) {
                send(exchange, entry);
                return;
            }
        }
        if (config.listing()) {
            byte[] page = Listing.of(folder, path, inside.equals("/") && config.guarded());
            exchange.fields().set("Content-Type", "text/html;charset=utf-8");
            exchange.end(page, 0, page.length);
        } else {
            Answers.plain(exchange, 404);
        }
    }

    /// Percent-encodes a path.
    static String encode(String path) {
        StringBuilder out = new StringBuilder(path.length() + 16);
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || UNRESERVED.indexOf(c) >= 0;
            if (plain) {
                out.append(c);
            } else {
                out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            }
        }
        return out.toString();
    }

    private void send(Exchange exchange, FileEntry found) throws IOException {
        RequestHead head = exchange.request();
        Fields request = head.fields();
        FieldList fields = exchange.fields();
        FileEntry entry = choose(found, request, fields);
        fields.add("ETag", entry.etagText);
        fields.add("Last-Modified", entry.lastModified);
        if (config.cacheControl() != null) {
            fields.add("Cache-Control", config.cacheControl());
        }
        switch (Preconditions.evaluate(head.method(), request, entry.etag, entry.modifiedSecond)) {
            case NOT_MODIFIED -> {
                exchange.status(304);
                exchange.end();
                return;
            }
            case PRECONDITION_FAILED -> {
                Answers.plain(exchange, 412);
                return;
            }
            case PROCEED -> {}
        }
        if (entry.coding != FileEntry.Coding.IDENTITY) {
            fields.add("Content-Encoding", entry.coding.token);
        }
        fields.add("Accept-Ranges", "bytes");
        String range = head.isHead() ? null : request.get("Range");
        if (range == null
                || !Preconditions.rangeApplies(request, entry.etag, entry.modifiedSecond)) {
            whole(exchange, entry);
            return;
        }
        ranges(exchange, entry, ByteRanges.of(range, entry.size));
    }

    /// The variant the client takes best; says in `Vary` that there is a choice.
    private static FileEntry choose(FileEntry found, Fields request, FieldList fields) {
        if (found.variants.length == 0) {
            return found;
        }
        fields.add("Vary", "Accept-Encoding");
        FileEntry best = found;
        int quality = 0;
        for (FileEntry variant : found.variants) {
            int offered = AcceptEncoding.quality(request, variant.coding.token);
            if (offered > quality) {
                best = variant;
                quality = offered;
            }
        }
        return best;
    }

    private static void type(FieldList fields, FileEntry entry) {
        if (entry.type != null) {
            fields.add("Content-Type", entry.type);
        }
    }

    private static void whole(Exchange exchange, FileEntry entry) throws IOException {
        type(exchange.fields(), entry);
        part(exchange, entry, 0, entry.size);
    }

    private static void part(Exchange exchange, FileEntry entry, long from, long length)
            throws IOException {
        byte[] body = entry.body;
        if (body != null) {
            exchange.endConstant(body, (int) from, (int) length);
            return;
        }
        boolean head = exchange.request().isHead();
        FileChannel file = head ? null : openOrNull(entry);
        if (file == null && !head) {
            exchange.fields().clear();
            Answers.plain(exchange, 404);
            return;
        }
        exchange.fields().set("Content-Length", Long.toString(length));
        if (file != null) {
            exchange.sendFile(file, from, length);
        }
        exchange.end();
    }

    private static @Nullable FileChannel openOrNull(FileEntry entry) {
        try {
            return entry.open();
        } catch (IOException e) {
            return null;
        }
    }

    private void ranges(Exchange exchange, FileEntry entry, ByteRanges wanted) throws IOException {
        FieldList fields = exchange.fields();
        switch (wanted.kind()) {
            case WHOLE -> whole(exchange, entry);
            case UNSATISFIABLE -> {
                fields.remove("Content-Encoding");
                fields.add("Content-Range", "bytes */" + entry.size);
                Answers.plain(exchange, 416);
            }
            case PARTIAL -> {
                exchange.status(206);
                if (wanted.ranges().size() == 1) {
                    ByteRanges.Range range = wanted.ranges().getFirst();
                    type(fields, entry);
                    fields.add("Content-Range", range.contentRange(entry.size));
                    part(exchange, entry, range.first(), range.length());
                } else {
                    String boundary = Long.toHexString(random.nextLong() | Long.MIN_VALUE);
                    RangeSender sender =
                            new RangeSender(exchange, entry, wanted.ranges(), boundary);
                    fields.add("Content-Type", "multipart/byteranges; boundary=" + boundary);
                    fields.set("Content-Length", Long.toString(sender.length()));
                    sender.run();
                }
            }
        }
    }
}
