package io.margay.servlet.files;

import io.margay.protocol.http.ByteRanges;
import io.margay.server.files.StoredFile;
import io.margay.servlet.engine.response.ServerResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The content of one file on its way into a response. Confined to one thread.
///
/// A file of the file system goes straight from there to the connection when nobody stands between;
/// small ones, and those in libraries, pass through memory.
record FileBody(StoredFile file) {
    /// Below this, one copy is cheaper than a system call of its own.
    private static final int SENDFILE_BYTES_MIN = 16 * 1024;

    private static final int CHUNK_BYTES = 8192;

    void sendWhole(HttpServletResponse response) throws IOException {
        sendRange(response, 0, file.length());
    }

    /// Sends the whole from memory.
    ///
    /// @param content which nobody changes any more
    /// @return false when the response has a writer, and nothing is sent
    boolean sendContent(HttpServletResponse response, byte[] content) throws IOException {
        if (response instanceof ServerResponse server && server.sendConstant(content)) {
            return true;
        }
        OutputStream out = streamOf(response);
        if (out == null) {
            return false;
        }
        response.setContentLengthLong(content.length);
        out.write(content);
        return true;
    }

    /// Sends a part from memory.
    void sendPart(HttpServletResponse response, byte[] content, int first, int count)
            throws IOException {
        OutputStream out = streamOf(response);
        if (out == null) {
            sendRange(response, first, count);
            return;
        }
        response.setContentLengthLong(count);
        out.write(content, first, count);
    }

    void sendRange(HttpServletResponse response, long first, long count) throws IOException {
        if (sendDirectly(response, first, count)) {
            return;
        }
        OutputStream out;
        try {
            out = response.getOutputStream();
        } catch (IllegalStateException e) {
            sendText(response, response.getContentType());
            return;
        }
        response.setContentLengthLong(count);
        try (InputStream in = open()) {
            in.skipNBytes(first);
            copy(in, out, count);
        }
    }

    private boolean sendDirectly(HttpServletResponse response, long first, long count)
            throws IOException {
        if (count < SENDFILE_BYTES_MIN || !(response instanceof ServerResponse server)) {
            return false;
        }
        FileChannel channel;
        try {
            channel = file.openChannel();
        } catch (NoSuchFileException e) {
            throw new FileNotFoundException(file.path());
        }
        if (channel == null) {
            return false;
        }
        boolean sent = false;
        try {
            // The length announced is the one of the file that is open.
            if (channel.size() >= first + count) {
                sent = server.sendFile(channel, first, count);
            }
        } finally {
            if (!sent) {
                channel.close();
            }
        }
        return sent;
    }

    private InputStream open() throws IOException {
        try {
            return file.open();
        } catch (NoSuchFileException e) {
            throw new FileNotFoundException(file.path());
        }
    }

    private static void copy(InputStream in, OutputStream out, long count) throws IOException {
        byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, Math.max(1, count))];
        long left = count;
        while (left > 0) {
            int read = in.read(chunk, 0, (int) Math.min(chunk.length, left));
            if (read < 0) {
                throw new IOException("a file became shorter while it was sent");
            }
            out.write(chunk, 0, read);
            left -= read;
        }
    }

    /// Several ranges as `multipart/byteranges` (RFC 9110 §14.6).
    void sendRanges(
            HttpServletResponse response, List<ByteRanges.Range> ranges, @Nullable String type)
            throws IOException {
        long random = ThreadLocalRandom.current().nextLong();
        String boundary = "margay-" + Long.toHexString(random);
        response.setContentType("multipart/byteranges; boundary=" + boundary);
        OutputStream out = response.getOutputStream();
        for (ByteRanges.Range range : ranges) {
            StringBuilder head = new StringBuilder("\r\n--").append(boundary).append("\r\n");
            if (type != null) {
                head.append("Content-Type: ").append(type).append("\r\n");
            }
            head.append("Content-Range: ")
                    .append(range.contentRange(file.length()))
                    .append("\r\n\r\n");
            out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
            try (InputStream in = open()) {
                in.skipNBytes(range.first());
                copy(in, out, range.length());
            }
        }
        String end = "\r\n--" + boundary + "--\r\n";
        out.write(end.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// The file as a part of another resource's answer, by the stream or the writer it uses.
    void sendText(HttpServletResponse response, @Nullable String type) throws IOException {
        try (InputStream in = open()) {
            OutputStream out = streamOf(response);
            if (out != null) {
                in.transferTo(out);
            } else {
                new InputStreamReader(in, charset(type)).transferTo(response.getWriter());
            }
        }
    }

    private static @Nullable OutputStream streamOf(HttpServletResponse response)
            throws IOException {
        try {
            return response.getOutputStream();
        } catch (IllegalStateException e) {
            return null;
        }
    }

    private static Charset charset(@Nullable String type) {
        return type != null && type.toLowerCase(java.util.Locale.ROOT).contains("iso-8859-1")
                ? StandardCharsets.ISO_8859_1
                : StandardCharsets.UTF_8;
    }
}
