package io.margay.lab.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A collector of OpenTelemetry that takes everything and keeps nothing, so that the lab measures
/// what sending costs. A process of its own; a virtual thread for each connection.
public final class CollectorSink {
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private static final String LENGTH = "content-length:";
    private static final int LINE_MAX = 8_192;

    private CollectorSink() {}

    /// The process, at a port of this machine.
    public static Tier tier(LabEnvironment here, int port) {
        List<String> command = new ArrayList<>();
        command.add(here.java());
        command.addAll(here.javaOptions());
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        CollectorSink.class.getName(),
                        String.valueOf(port)));
        return new Tier("collector", command, Map.of(), List.of(port));
    }

    /// @param args the port on the loopback
    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        try (ServerSocket listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            while (true) {
                Socket accepted = listener.accept();
                Thread.ofVirtual().start(() -> serve(accepted));
            }
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                long length = 0;
                for (String field = line(in); !field.isEmpty(); field = line(in)) {
                    if (field.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
                        length = Long.parseLong(field.substring(LENGTH.length()).strip());
                    }
                }
                in.skipNBytes(length);
                out.write(ANSWER);
            }
        } catch (IOException | NumberFormatException e) {
            // Whoever sent has gone, or sends what makes no sense: the connection ends.
            return;
        }
    }

    /// A line without its end; empty at the end of the head, and of the connection.
    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (next != '\r' && line.length() < LINE_MAX) {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
