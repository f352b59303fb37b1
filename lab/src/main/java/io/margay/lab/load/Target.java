package io.margay.lab.load;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http1.Http1RequestEncoder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One request, encoded once and sent many times, and what its answers must look like. Confined to
/// the loop: the position of its buffer is set anew for each sending.
final class Target {
    /// Room for all of a head but its path.
    private static final int HEAD_BYTES = 256;

    private final ByteBuffer request;
    private final FieldList head;
    private final byte[] content;
    private final @Nullable BodyTemplate template;

    /// @param path what to get; or `POST LENGTH PATH` to send so many bytes
    Target(String path, LoadJob job, @Nullable BodyTemplate template) {
        this.template = template;
        String[] words = path.split(" ");
        boolean post = words.length == 3 && words[0].equals("POST");
        int length = post ? Integer.parseInt(words[1]) : 0;
        String authority = "127.0.0.1:" + job.port();
        FieldList fields = new FieldList().add("Host", authority);
        if (post) {
            fields.add("Content-Type", "application/octet-stream");
        }
        byte[] bytes = new byte[path.length() + HEAD_BYTES + length];
        int end =
                Http1RequestEncoder.encodeHead(
                        bytes,
                        0,
                        post ? "POST" : "GET",
                        post ? words[2] : path,
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
                        .add(":path", post ? words[2] : path);
        if (post) {
            head.add("content-type", "application/octet-stream");
        }
        request =
                ByteBuffer.allocateDirect(end + length)
                        .put(Arrays.copyOf(bytes, end + length))
                        .flip();
    }

    ByteBuffer request() {
        return request.rewind();
    }

    /// The head for HTTP/2.
    FieldList head() {
        return head;
    }

    /// What follows the head, often nothing.
    byte[] content() {
        return content;
    }

    @Nullable BodyTemplate template() {
        return template;
    }
}
