package io.margay.app.agreement.nginx;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// A member that answers with what it has received: its answer shows what a front end has asked it
/// for. Thread-safe.
public final class EchoMember implements AutoCloseable {
    /// What front ends say of themselves and of connections.
    private static final Set<String> OWN =
            Set.of("connection", "via", "x-request-id", "transfer-encoding", "content-length");

    private final ServerSocket server;

    /// Fields that each answer has.
    private final String fields;

    EchoMember() throws IOException {
        this("");
    }

    /// @param fields that each answer has, with the ends of their lines
    public EchoMember(String fields) throws IOException {
        this.fields = fields;
        server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return; // it is closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                answer(socket, line, in);
            }
        } catch (IOException e) {
            // The front end has gone.
        }
    }

    private void answer(Socket socket, String line, InputStream in) throws IOException {
        List<String> received = new ArrayList<>();
        int length = 0;
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
            int colon = field.indexOf(':');
            String name = field.substring(0, colon).toLowerCase(Locale.ROOT);
            if (name.equals("content-length")) {
                length = Integer.parseInt(field.substring(colon + 1).strip());
            }
            if (!OWN.contains(name)) {
                received.add(name + ": " + field.substring(colon + 1).strip());
            }
        }
        String content = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
        received.sort(null);
        String[] words = line.split(" ");
        String seen =
                "member "
                        + words[0]
                        + " "
                        + words[1]
                        + "\n"
                        + String.join("\n", received)
                        + content;
        String said = answer(received);
        String status = words[1].contains("fail") ? "503 No" : said.isEmpty() ? "200 OK" : said;
        String more = said.isEmpty() ? "" : ofService(words, received, said);
        more +=
                words[1].contains("moved")
                        ? "Location: http://back/v/x\r\nX-Accel-Expires: 1\r\n"
                        : "";
        byte[] bytes =
                status.startsWith("204") ? new byte[0] : seen.getBytes(StandardCharsets.ISO_8859_1);
        String head =
                "HTTP/1.1 "
                        + status
                        + "\r\nContent-Type: text/plain\r\n"
                        + fields
                        + more
                        + (bytes.length > 0
                                ? "Content-Length: " + bytes.length + "\r\n\r\n"
                                : "\r\n");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        if (!words[0].equals("HEAD")) {
            all.writeBytes(bytes);
        }
        socket.getOutputStream().write(all.toByteArray());
        socket.getOutputStream().flush();
    }

    /// The status that a field asks for, as a service that says who may pass; empty = none does.
    private static String answer(List<String> fields) {
        return fields.stream()
                .filter(field -> field.startsWith("x-answer: "))
                .map(field -> field.substring("x-answer: ".length()) + " So")
                .findFirst()
                .orElse("");
    }

    /// What it says besides: what it has seen.
    private static String ofService(String[] words, List<String> fields, String status) {
        return "X-User: ada\r\nX-Seen: "
                + words[0]
                + " "
                + words[1]
                + " "
                + String.join("|", fields)
                + "\r\n"
                + (status.startsWith("401") ? "WWW-Authenticate: Basic realm=\"service\"\r\n" : "");
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
