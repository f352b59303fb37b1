package io.margay.lab.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.margay.lab.load.LoadJob;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http1.Http1RequestEncoder;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One request, encoded once and sent many times, and what its answers must look like. Confined to
/// the loop: the position of its buffer is set anew for each sending.
public final class Target {
    /// Room for all of a head but its path.
    private static final int HEAD_BYTES = 256;

    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    private static final String WITH = "WITH";

    /// A moment after which no file of a run has changed.
    private static final String LATER = "Fri, 01 Jan 2100 00:00:00 GMT";

    private final ByteBuffer request;
    private final FieldList head;
    private final byte[] content;
    private final @Nullable BodyTemplate template;
    private final int status;
    private final String path;
    private final LoadJob job;
    private final boolean hasSession;
    private final boolean traced;

    /// @param path what to get; `POST LENGTH PATH` to send so many bytes, `UNCHANGED PATH` to ask
    ///   for what the client has already, `GZIP PATH` to take it compressed, `SESSION PATH` to keep
    ///   the session that the server begins, `WITH FIELDS PATH` to send fields, written like a
    ///   query, of which `host` names another host
    public Target(String path, LoadJob job, @Nullable BodyTemplate template) {
        this(path, job, template, "");
    }

    /// @param cookie that is sent along, unless it is empty
    private Target(String path, LoadJob job, @Nullable BodyTemplate template, String cookie) {
        this.template = template;
        this.path = path;
        this.job = job;
        String[] words = path.split(" ");
        boolean post = words.length == 3 && words[0].equals("POST");
        boolean unchanged = words.length == 2 && words[0].equals("UNCHANGED");
        boolean gzip = words.length == 2 && words[0].equals("GZIP");
        hasSession = words.length == 2 && words[0].equals("SESSION");
        traced = false;
        Map<String, String> more =
                words.length == 3 && words[0].equals(WITH) ? fields(words[1]) : Map.of();
        status = unchanged ? NOT_MODIFIED : OK;
        int length = post ? Integer.parseInt(words[1]) : 0;
        String authority = more.getOrDefault("host", "127.0.0.1:" + job.port());
        FieldList fields = new FieldList().add("Host", authority);
        if (post) {
            fields.add("Content-Type", "application/octet-stream");
        }
        if (unchanged) {
            fields.add("If-Modified-Since", LATER);
        }
        if (gzip) {
            fields.add("Accept-Encoding", "gzip");
        }
        if (!cookie.isEmpty()) {
            fields.add("Cookie", cookie);
        }
        addTo(fields, more);
        byte[] bytes = new byte[path.length() + cookie.length() + HEAD_BYTES + length];
        int end =
                Http1RequestEncoder.encodeHead(
                        bytes,
                        0,
                        post ? "POST" : "GET",
                        words[words.length - 1],
                        fields,
                        post ? length : Http1RequestEncoder.NONE,
                        !job.keepAlive());
        if (end < 0) {
            throw new IllegalArgumentException("the path is too long: " + path);
        }
        Arrays.fill(bytes, end, end + length, (byte) 'x');
        content = Arrays.copyOfRange(bytes, end, end + length);
        head =
                new FieldList()
                        .add(":method", post ? "POST" : "GET")
                        .add(":scheme", job.tls() ? "https" : "http")
                        .add(":authority", authority)
                        .add(":path", words[words.length - 1]);
        if (post) {
            head.add("content-type", "application/octet-stream");
        }
        if (unchanged) {
            head.add("if-modified-since", LATER);
        }
        if (gzip) {
            head.add("accept-encoding", "gzip");
        }
        addTo(head, more);
        request =
                ByteBuffer.allocateDirect(end + length)
                        .put(Arrays.copyOf(bytes, end + length))
                        .flip();
    }

    /// What to get with those fields, as it is told to the constructor.
    public static String with(Map<String, String> fields, String path) {
        return fields.entrySet().stream()
                .map(it -> it.getKey() + "=" + URLEncoder.encode(it.getValue(), UTF_8))
                .collect(Collectors.joining("&", WITH + " ", " " + path));
    }

    private static Map<String, String> fields(String text) {
        return Arrays.stream(text.split("&"))
                .map(it -> it.split("=", 2))
                .collect(Collectors.toMap(it -> it[0], it -> URLDecoder.decode(it[1], UTF_8)));
    }

    private static void addTo(FieldList fields, Map<String, String> more) {
        more.forEach((name, value) -> {
            if (!name.equals("host")) {
                fields.add(name, value);
            }
        });
    }

    /// One of a trace.
    private Target(String path, LoadJob job, ByteBuffer request, FieldList head, int status) {
        this.path = path;
        this.job = job;
        this.request = request;
        this.head = head;
        this.status = status;
        content = new byte[0];
        template = null;
        hasSession = false;
        traced = true;
    }

    /// A request without content of a trace.
    ///
    /// @param fields in lower case, with `host`
    /// @param status of the answer that was written down; 0 = not known
    public static Target traced(
            String method, String path, FieldList fields, int status, LoadJob job) {
        int room = path.length() + HEAD_BYTES;
        for (int i = 0; i < fields.size(); i++) {
            room += fields.name(i).length() + 3 * fields.value(i).length() + HEAD_BYTES / 8;
        }
        byte[] bytes = new byte[room];
        int end =
                Http1RequestEncoder.encodeHead(
                        bytes, 0, method, path, fields, Http1RequestEncoder.NONE, !job.keepAlive());
        if (end < 0) {
            throw new IllegalArgumentException("the request is too long: " + path);
        }
        FieldList head = new FieldList().add(":method", method).add(":path", path);
        ByteBuffer request = ByteBuffer.allocateDirect(end).put(Arrays.copyOf(bytes, end)).flip();
        return new Target(path, job, request, head, status);
    }

    /// Whether it is one of a trace: another status than was written down is told, and no failure
    /// unless it is an error of the server.
    public boolean isTraced() {
        return traced;
    }

    /// Whether its answers have no content, whatever their head says.
    public boolean isHead() {
        return "HEAD".equals(head.get(":method"));
    }

    /// Whether a client keeps the session that the server begins.
    public boolean hasSession() {
        return hasSession;
    }

    /// The same of a client that has a cookie.
    public Target with(String cookie) {
        return new Target(path, job, template, cookie);
    }

    public ByteBuffer request() {
        return request.rewind();
    }

    /// The head for HTTP/2.
    public FieldList head() {
        return head;
    }

    /// What follows the head, often nothing.
    public byte[] content() {
        return content;
    }

    /// The status of a right answer; 0 = any.
    public int status() {
        return status;
    }

    public @Nullable BodyTemplate template() {
        return template;
    }
}
