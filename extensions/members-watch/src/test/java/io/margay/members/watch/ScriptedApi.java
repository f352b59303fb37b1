package io.margay.members.watch;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/// A server of an API on a free port of the loopback, which answers as a test says: with a text, or
/// with lines that come one after the other. Thread-safe.
final class ScriptedApi implements AutoCloseable {
    /// In place of a line: the answer ends, is broken off, or has half a line.
    static final String END = "end";

    static final String BREAK = "break";
    static final String HALF = "{\"half\":";

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile Function<Request, Reply> script = _ -> new Reply.Text(500, "not said");

    /// @param path with its query, decoded
    record Request(String method, String path, String authorization, String body) {}

    /// What is answered.
    sealed interface Reply {
        record Text(int status, String body) implements Reply {}

        /// Lines as they come, the last one of which is [#END] or [#BREAK].
        record Lines(BlockingQueue<String> lines) implements Reply {
            Lines() {
                this(new LinkedBlockingQueue<>());
            }
        }

        /// Nothing, for ever.
        record Silence() implements Reply {}
    }

    ScriptedApi() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    void answer(Function<Request, Reply> by) {
        script = by;
    }

    List<Request> requests() {
        return requests;
    }

    long count(String part) {
        return requests.stream().filter(each -> each.path().contains(part)).count();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            Request request = read(in);
            requests.add(request);
            OutputStream out = socket.getOutputStream();
            switch (script.apply(request)) {
                case Reply.Text(int status, String body) -> {
                    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                    write(
                            out,
                            "HTTP/1.1 "
                                    + status
                                    + " Said\r\nConnection: close\r\nContent-Length: "
                                    + bytes.length
                                    + "\r\n\r\n");
                    out.write(bytes);
                }
                case Reply.Lines(BlockingQueue<String> lines) -> lines(out, lines);
                case Reply.Silence() -> {
                    int _ = in.read();
                }
            }
        } catch (IOException e) {
            // The client has left.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void lines(OutputStream out, BlockingQueue<String> lines)
            throws IOException, InterruptedException {
        write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        String line = lines.take();
        while (!line.equals(END) && !line.equals(BREAK)) {
            byte[] bytes =
                    (line + (line.equals(HALF) ? "" : "\n")).getBytes(StandardCharsets.UTF_8);
            write(out, Integer.toHexString(bytes.length) + "\r\n");
            out.write(bytes);
            write(out, "\r\n");
            line = lines.take();
        }
        if (line.equals(END)) {
            write(out, "0\r\n\r\n");
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static Request read(InputStream in) throws IOException {
        List<String> head = new ArrayList<>();
        String line = line(in);
        while (!line.isEmpty()) {
            head.add(line);
            line = line(in);
        }
        if (head.isEmpty()) {
            throw new IOException("no request");
        }
        int length = Integer.parseInt("0" + field(head, "content-length"));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        String[] words = head.getFirst().split(" ");
        return new Request(
                words[0],
                URLDecoder.decode(words[1], StandardCharsets.UTF_8),
                field(head, "authorization"),
                body);
    }

    private static String field(List<String> head, String name) {
        for (String each : head) {
            if (each.toLowerCase(Locale.ROOT).startsWith(name + ":")) {
                return each.substring(name.length() + 1).strip();
            }
        }
        return "";
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        while (next >= 0 && next != '\n') {
            if (next != '\r') {
                line.append((char) next);
            }
            next = in.read();
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
