package io.margay.app.agreement.member;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// A back end that speaks HTTP, FastCGI and AJP13, writes down what it receives, byte for byte, and
/// answers what it is told to. Thread-safe.
final class RecordingMember implements AutoCloseable {
    private static final int IDLE_MILLIS = 120_000;

    /// One protocol.
    interface Protocol {
        /// Serves one request; false when the connection ends.
        boolean serve(InputStream in, OutputStream out, RecordingMember member) throws IOException;
    }

    /// A request as it was received.
    record Received(String protocol, Seen seen) {}

    private final ServerSocket http;
    private final ServerSocket fcgi;
    private final ServerSocket ajp;
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private volatile MemberReply reply = MemberReply.of(200, "");

    RecordingMember() throws IOException {
        http = listen(new HttpRecorder());
        fcgi = listen(new FastCgiRecorder());
        ajp = listen(new AjpRecorder());
    }

    private ServerSocket listen(Protocol protocol) throws IOException {
        ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> accept(server, protocol));
        return server;
    }

    private void accept(ServerSocket server, Protocol protocol) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket, protocol));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void serve(Socket socket, Protocol protocol) {
        try (socket) {
            socket.setSoTimeout(IDLE_MILLIS);
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = new BufferedOutputStream(socket.getOutputStream());
            boolean open = true;
            while (open) {
                open = protocol.serve(in, out, this);
                out.flush();
            }
        } catch (IOException e) {
            // The front end has gone.
        }
    }

    int httpPort() {
        return http.getLocalPort();
    }

    int fcgiPort() {
        return fcgi.getLocalPort();
    }

    int ajpPort() {
        return ajp.getLocalPort();
    }

    /// What it answers from now on.
    void answers(MemberReply next) {
        reply = next;
    }

    /// Writes a request down.
    ///
    /// @return what is answered
    MemberReply record(String protocol, Seen seen) {
        received.add(new Received(protocol, seen));
        return reply;
    }

    /// What was received since the last call.
    List<Received> taken() {
        List<Received> all = new ArrayList<>();
        boolean _ = received.drainTo(all) > 0;
        return all;
    }

    @Override
    public void close() throws IOException {
        http.close();
        fcgi.close();
        ajp.close();
    }
}
