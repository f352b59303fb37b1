package io.margay.lab.load;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http1.Http1RequestEncoder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One request, encoded once and sent many times, and what its answers must look like. Confined to
/// the loop: the position of its buffer is set anew for each sending.
final class Target {
    private final ByteBuffer request;
    private final @Nullable BodyTemplate template;

    Target(String path, int port, boolean keepAlive, @Nullable BodyTemplate template) {
        this.template = template;
        FieldList fields = new FieldList().add("Host", "127.0.0.1:" + port);
        byte[] bytes = new byte[path.length() + 256];
        int end =
                Http1RequestEncoder.encodeHead(
                        bytes, 0, "GET", path, fields, Http1RequestEncoder.NONE, !keepAlive);
        if (end < 0) {
            throw new IllegalArgumentException("the path is too long: " + path);
        }
        request = ByteBuffer.allocateDirect(end).put(Arrays.copyOf(bytes, end)).flip();
    }

    ByteBuffer request() {
        return request.rewind();
    }

    @Nullable BodyTemplate template() {
        return template;
    }
}
