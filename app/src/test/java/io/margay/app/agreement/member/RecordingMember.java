package io.margay.app.agreement.member;

import io.margay.testkit.Folders;
import io.margay.testkit.TestCertificate;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocketFactory;

/// A back end that speaks HTTP, FastCGI and AJP13, over TCP, TLS and Unix sockets, writes down what
/// it receives, byte for byte, and answers what it is told to. Thread-safe.
final class RecordingMember implements AutoCloseable {
    private static final int IDLE_MILLIS = 120_000;

    /// In place of 101, where nothing is switched to another protocol.
    static final MemberReply GREETING =
            MemberReply.of(200, "member says hello\n", "Content-Type: text/plain");

    /// One protocol.
    interface Protocol {
        /// Serves one request; false when the connection ends.
        boolean serve(InputStream in, OutputStream out, RecordingMember member) throws IOException;
    }

    /// A request as it was received.
    record Received(String protocol, Seen seen) {}

    private final Path folder;
    private final TestCertificate certificate;
    private final List<Closeable> listening = new ArrayList<>();

    /// What stands for a place in a configuration, and the place.
    private final Map<String, String> places = new LinkedHashMap<>();

    private final int ajpPort;
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private volatile MemberReply reply = MemberReply.of(200, "");

    RecordingMember() throws IOException {
        folder = Files.createTempDirectory("margay-recorder");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        certificate = TestCertificate.in(folder);
        places.put("@CERT@", certificate.cert().toString());
        places.put("@KEY@", certificate.key().toString());
        InetAddress loopback = InetAddress.getLoopbackAddress();
        InetAddress six = InetAddress.ofLiteral("::1");
        ServerSocketFactory plain = ServerSocketFactory.getDefault();
        places.put("@HTTP@", "127.0.0.1:" + listen(plain, loopback, new HttpRecorder()));
        places.put("@FCGI@", "127.0.0.1:" + listen(plain, loopback, new FastCgiRecorder()));
        ajpPort = listen(plain, loopback, new AjpRecorder());
        places.put("@AJP@", "127.0.0.1:" + ajpPort);
        places.put("@HTTP6@", "[::1]:" + listen(plain, six, new HttpRecorder()));
        places.put("@AJP6@", "[::1]:" + listen(plain, six, new AjpRecorder()));
        places.put("@SECURE@", "localhost:" + listen(secure(), loopback, new HttpRecorder()));
        places.put("@UNIX@", listen("http.sock", new HttpRecorder()));
        places.put("@FUNIX@", listen("fcgi.sock", new FastCgiRecorder()));
    }

    private SSLServerSocketFactory secure() throws IOException {
        try {
            char[] password = "testkit".toCharArray();
            KeyStore store = KeyStore.getInstance(folder.resolve("store.p12").toFile(), password);
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(store, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context.getServerSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private int listen(ServerSocketFactory factory, InetAddress address, Protocol protocol)
            throws IOException {
        ServerSocket server = factory.createServerSocket(0, 200, address);
        listening.add(server);
        accept(() -> {
            Socket socket = server.accept();
            socket.setSoTimeout(IDLE_MILLIS);
            socket.setTcpNoDelay(true);
            return () -> serve(socket, socket.getInputStream(), socket.getOutputStream(), protocol);
        });
        return server.getLocalPort();
    }

    /// Listens on a Unix socket that everybody may connect to.
    private String listen(String name, Protocol protocol) throws IOException {
        Path file = folder.resolve(name);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listening.add(server);
        server.bind(UnixDomainSocketAddress.of(file));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx"));
        accept(() -> {
            SocketChannel channel = server.accept();
            return () ->
                    serve(
                            channel,
                            Channels.newInputStream(channel),
                            Channels.newOutputStream(channel),
                            protocol);
        });
        return file.toString();
    }

    /// Waits for a connection.
    private interface Accepting {
        Connected next() throws IOException;
    }

    /// A connection that is to be served.
    private interface Connected {
        void serve() throws IOException;
    }

    private static void accept(Accepting server) {
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        while (true) {
                            Connected next = server.next();
                            Thread.ofVirtual().start(() -> serve(next));
                        }
                    } catch (IOException e) {
                        // It is closed.
                    }
                });
    }

    private static void serve(Connected connected) {
        try {
            connected.serve();
        } catch (IOException e) {
            // The front end has gone.
        }
    }

    private void serve(Closeable socket, InputStream from, OutputStream to, Protocol protocol)
            throws IOException {
        try (socket) {
            InputStream in = new BufferedInputStream(from);
            OutputStream out = new BufferedOutputStream(to);
            boolean open = true;
            while (open) {
                open = protocol.serve(in, out, this);
                out.flush();
            }
        }
    }

    /// A text with its places in it.
    String named(String text) {
        String made = text;
        for (Map.Entry<String, String> place : places.entrySet()) {
            made = made.replace(place.getKey(), place.getValue());
        }
        return made;
    }

    int ajpPort() {
        return ajpPort;
    }

    /// What it shows over TLS.
    TestCertificate certificate() {
        return certificate;
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
        boolean switches = reply.status() == 101 && protocol.equals("http");
        return reply.status() != 101 || switches ? reply : GREETING;
    }

    /// What was received since the last call.
    List<Received> taken() {
        List<Received> all = new ArrayList<>();
        boolean _ = received.drainTo(all) > 0;
        return all;
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : listening) {
            each.close();
        }
        Folders.delete(folder);
    }
}
