package io.margay.transport;

import static io.margay.transport.TestTls.config;
import static io.margay.transport.TestTls.files;
import static io.margay.transport.TestTls.with;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.SelfSigned;
import io.margay.transport.factory.Transports;
import io.margay.transport.tls.OpenSslConnections;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What [TlsConfig] promises, on every transport.
@Tag("slow")
@Timeout(120)
class TlsContractTest {
    @TempDir static Path directory;
    private static SelfSigned rsa;
    private static SelfSigned ec;
    private static SelfSigned shop;
    private static SelfSigned wild;

    /// Of one name and several keys.
    private static final List<SelfSigned> TWINS = new ArrayList<>();

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ConcurrentLinkedQueue<Connection> accepted = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void makeCertificates() throws Exception {
        rsa = SelfSigned.make(directory, "rsa", "RSA", List.of("DNS:localhost"));
        ec = SelfSigned.make(directory, "ec", "EC", List.of("DNS:localhost"));
        shop =
                SelfSigned.make(
                        directory,
                        "shop",
                        "EC",
                        List.of("DNS:shop.example", "DNS:www.shop.example"));
        wild = SelfSigned.make(directory, "wild", "EC", List.of("DNS:*.apps.example"));
        for (String folder : List.of("1", "2", "3")) {
            Path own = Files.createDirectory(directory.resolve(folder));
            TWINS.add(SelfSigned.make(own, "twin", "EC", List.of("DNS:twin")));
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        Until.holds("memory of OpenSSL given back", () -> OpenSslConnections.live() == 0);
    }

    private Listener listen(TlsMode transport, TlsConfig tls) throws IOException {
        return listen(
                transport,
                tls,
                c -> {
                    accepted.add(c);
                    return new Echo(c, new Echo.Record());
                });
    }

    private Listener listen(TlsMode mode, TlsConfig tls, ConnectionHandler.Factory handlers)
            throws IOException {
        TransportConfig config =
                TransportConfig.defaults().withCertificateCheck(Duration.ofMillis(50));
        Transport transport = Transports.open(mode.transport(), config);
        open.add(transport);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return transport.listen(
                ListenerConfig.of(any).withTls(tls.with(mode.provider())), handlers);
    }

    private SSLSocket connect(SSLContext context, Listener listener) throws IOException {
        SSLSocket socket = TestClient.tls(context, listener.address());
        open.add(socket);
        return socket;
    }

    private static void echo(Socket socket, String text) throws IOException {
        byte[] sent = text.getBytes();
        socket.getOutputStream().write(sent);
        assertArrayEquals(sent, socket.getInputStream().readNBytes(sent.length));
    }

    private X509Certificate certificateFor(Listener listener, String name) throws Exception {
        SSLSocket socket = connect(TestClient.tlsContext(), listener);
        if (name != null) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            socket.setSSLParameters(parameters);
        }
        echo(socket, "hello");
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void serverName_ofSeveralCertificates_choosesExactThenWildcardThenFirst(TlsMode transport)
            throws Exception {
        Listener listener = listen(transport, config(ec, shop, wild));
        assertEquals(shop.certificate(), certificateFor(listener, "shop.example"));
        assertEquals(shop.certificate(), certificateFor(listener, "WWW.Shop.example"));
        assertEquals(wild.certificate(), certificateFor(listener, "one.apps.example"));
        assertEquals(ec.certificate(), certificateFor(listener, "a.one.apps.example"));
        assertEquals(ec.certificate(), certificateFor(listener, "unknown.example"));
        assertEquals(ec.certificate(), certificateFor(listener, "localhost"));
        assertTrue(
                accepted.stream().anyMatch(c -> "shop.example".equals(c.tls().serverName())),
                "the session names what was asked for");
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void certificates_ofOneNameAndType_theFirstIsShown(TlsMode transport) throws Exception {
        SelfSigned twin =
                SelfSigned.make(directory, "twin-" + transport, "EC", List.of("DNS:localhost"));
        Listener listener = listen(transport, config(ec, twin, rsa));
        assertEquals(ec.certificate(), certificateFor(listener, "localhost"));
        assertEquals(ec.certificate(), certificateFor(listener, "unknown.example"));
        assertEquals(ec.certificate(), certificateFor(listener, null));
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void versions_12And13_areNegotiatedAndReported(TlsMode transport) throws Exception {
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            for (SelfSigned made : List.of(rsa, ec)) {
                accepted.clear();
                Listener listener = listen(transport, config(made));
                SSLSocket socket = connect(TestClient.tlsContext(), listener);
                socket.setEnabledProtocols(new String[] {version});
                echo(socket, "hello");
                assertEquals(version, socket.getSession().getProtocol());
                TlsSession session = accepted.peek().tls();
                assertEquals(version, session.protocol());
                assertEquals(socket.getSession().getCipherSuite(), session.cipherSuite());
                assertTrue(session.keyBits() >= 128);
                assertTrue(session.peerCertificates().isEmpty());
                HandshakeCounts counts = listener.handshakes();
                assertEquals(1, counts.done());
                assertEquals(0, counts.failed());
                assertTrue(counts.nanos() > 0);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void version_notEnabled_isRefused(TlsMode transport) throws Exception {
        TlsConfig only13 = with(List.of("TLSv1.3"), List.of(), Duration.ofSeconds(10), ec);
        Listener listener = listen(transport, only13);
        SSLSocket socket = connect(TestClient.tlsContext(), listener);
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        assertThrows(SSLException.class, socket::startHandshake);
        assertTrue(accepted.isEmpty());
        Until.holds("closed", () -> listener.connectionCount() == 0);
        assertEquals(new HandshakeCounts(0, 1, 0), listener.handshakes());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void session_secondConnection_resumes(TlsMode transport) throws Exception {
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            Listener listener = listen(transport, config(ec));
            SSLContext client = TestClient.tlsContext();
            long firstCreated = handshake(client, listener, version);
            long secondCreated = handshake(client, listener, version);
            // A resumed session keeps the moment of its first handshake.
            assertEquals(firstCreated, secondCreated, version);
        }
    }

    private long handshake(SSLContext client, Listener listener, String version) throws Exception {
        SSLSocket socket = connect(client, listener);
        socket.setEnabledProtocols(new String[] {version});
        echo(socket, "hello");
        long created = socket.getSession().getCreationTime();
        socket.close();
        long now = System.currentTimeMillis();
        Until.holds("the clock ticks", () -> System.currentTimeMillis() > now + 1);
        return created;
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void certificateFiles_swappedUnderLoad_noHandshakeFails(TlsMode transport) throws Exception {
        Path cert = directory.resolve("swap-" + transport + ".pem");
        Path key = directory.resolve("swap-" + transport + ".key");
        Files.copy(ec.cert(), cert);
        Files.copy(ec.key(), key);
        Listener listener = listen(transport, TlsConfig.of(cert, key));
        SSLSocket old = connect(TestClient.tlsContext(), listener);
        echo(old, "before");
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger handshakes = new AtomicInteger();
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Thread load =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!stop.get()) {
                                try {
                                    certificateFor(listener, "localhost");
                                    handshakes.incrementAndGet();
                                } catch (Exception e) {
                                    failures.add(e);
                                }
                            }
                        });
        Until.holds("load runs", () -> handshakes.get() > 3);
        // Not both at once: between the two moves, key and certificate do not belong together.
        replace(shop.cert(), cert);
        int before = handshakes.get();
        Until.holds("load goes on", () -> handshakes.get() > before + 3);
        replace(shop.key(), key);
        Until.holds(
                "the new certificate is used",
                () -> {
                    try {
                        return certificateFor(listener, "localhost").equals(shop.certificate());
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        stop.set(true);
        load.join(20_000);
        assertEquals(List.of(), List.copyOf(failures));
        echo(old, "the old connection lives");
        Files.writeString(cert, "rubbish");
        listener.reloadCertificates();
        assertEquals(shop.certificate(), certificateFor(listener, "localhost"));
    }

    private static void replace(Path source, Path target) throws IOException {
        Path fresh = Files.copy(source, target.resolveSibling(target.getFileName() + ".new"));
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void alpn_commonProtocol_isChosenByServersOrder(TlsMode transport) throws Exception {
        TlsConfig tls =
                with(
                        List.of("TLSv1.3", "TLSv1.2"),
                        List.of("h2", "http/1.1"),
                        Duration.ofSeconds(10),
                        ec);
        Listener listener = listen(transport, tls);
        SSLSocket socket = connect(TestClient.tlsContext(), listener);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"http/1.1", "h2"});
        socket.setSSLParameters(parameters);
        echo(socket, "hello");
        assertEquals("h2", socket.getApplicationProtocol());
        assertEquals("h2", accepted.peek().tls().applicationProtocol());
        accepted.clear();
        SSLSocket without = connect(TestClient.tlsContext(), listener);
        echo(without, "hello");
        assertNull(accepted.peek().tls().applicationProtocol());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void handshake_notMade_timesOut(TlsMode transport) throws Exception {
        TlsConfig tls = with(List.of("TLSv1.3"), List.of(), Duration.ofMillis(200), ec);
        Listener listener = listen(transport, tls);
        Socket silent = TestClient.plain(listener.address());
        open.add(silent);
        assertEquals(-1, silent.getInputStream().read());
        Socket half = TestClient.plain(listener.address());
        open.add(half);
        half.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
        assertEquals(-1, half.getInputStream().read());
        assertTrue(accepted.isEmpty());
        Until.holds("closed", () -> listener.connectionCount() == 0);
        // Who sends nothing, as a port scan does, has not begun a handshake.
        assertEquals(1, listener.handshakes().failed());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void plainText_onTlsPort_isAnsweredAndClosed(TlsMode transport) throws Exception {
        byte[] answer = "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes();
        Listener listener =
                listen(
                        transport,
                        config(ec),
                        new ConnectionHandler.Factory() {
                            @Override
                            public ConnectionHandler accept(Connection connection) {
                                accepted.add(connection);
                                return new Echo(connection, new Echo.Record());
                            }

                            @Override
                            public byte[] plainTextAnswer() {
                                return answer;
                            }
                        });
        Socket socket = TestClient.plain(listener.address());
        open.add(socket);
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes());
        assertArrayEquals(answer, socket.getInputStream().readAllBytes());
        assertTrue(accepted.isEmpty());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void garbage_onTlsPort_closesAndOthersGoOn(TlsMode transport) throws Exception {
        Listener listener = listen(transport, config(ec));
        byte[][] garbage = {
            {0, 0, 0, 0, 0, 0},
            {22, 3, 3, (byte) 0xff, (byte) 0xff, 1, 2, 3},
            {22, 3, 3, 0, 4, 1, 0, 0, 0},
            {22, 3, 3, 0, 5, 99, 0, 0, 1, 7},
            "\u0080\u002e\u0001\u0003\u0001".getBytes(),
            {21, 3, 3, 0, 2, 1, 0},
        };
        for (byte[] bytes : garbage) {
            Socket socket = TestClient.plain(listener.address());
            open.add(socket);
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            try {
                socket.getInputStream().readAllBytes();
            } catch (IOException e) {
                assertFalse(e.getMessage().contains("timed out"), e.getMessage());
            }
        }
        certificateFor(listener, "localhost");
        Until.holds("one is left", () -> listener.connectionCount() == 1);
        assertEquals(1, accepted.size());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void clientCertificate_needed_isCheckedAndReported(TlsMode transport) throws Exception {
        TlsConfig tls =
                config(ec)
                        .withClients(ClientCertificates.of(TlsConfig.ClientAuth.NEED, shop.cert()));
        Listener listener = listen(transport, tls);
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            accepted.clear();
            SSLSocket trusted = connect(clientWith(shop), listener);
            trusted.setEnabledProtocols(new String[] {version});
            echo(trusted, "hello");
            assertEquals(List.of(shop.certificate()), accepted.peek().tls().peerCertificates());
            SSLSocket stranger = connect(clientWith(wild), listener);
            stranger.setEnabledProtocols(new String[] {version});
            assertRefused(stranger);
            SSLSocket nobody = connect(TestClient.tlsContext(), listener);
            nobody.setEnabledProtocols(new String[] {version});
            assertRefused(nobody);
            assertEquals(1, accepted.size());
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void clientCertificate_ofOneNameWithOthers_isJudgedByItsKey(TlsMode transport)
            throws Exception {
        Path trust = directory.resolve(transport + "-twins.pem");
        StringBuilder trusted = new StringBuilder();
        for (SelfSigned twin : TWINS.subList(0, 2)) {
            trusted.append(Files.readString(twin.cert()));
        }
        Files.writeString(trust, trusted);
        TlsConfig tls =
                config(ec).withClients(ClientCertificates.of(TlsConfig.ClientAuth.NEED, trust));
        Listener listener = listen(transport, tls);
        for (SelfSigned twin : TWINS.subList(0, 2)) {
            echo(connect(clientWith(twin), listener), "hello");
        }
        assertRefused(connect(clientWith(TWINS.getLast()), listener));
        assertEquals(2, accepted.size());
    }

    /// With TLS 1.3 a client may have sent its first text before the server has looked at its
    /// certificate: it then meets the alert, or, when it is late, only the end.
    private static void assertRefused(SSLSocket socket) {
        byte[] got;
        try {
            socket.getOutputStream().write("hello".getBytes());
            got = socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            return;
        }
        assertEquals(0, got.length);
    }

    private static SSLContext clientWith(SelfSigned made) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        char[] password = new char[0];
        X509Certificate[] chain = {made.certificate()};
        store.setKeyEntry("k", made.privateKey(), password, chain);
        KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
        keys.init(store, password);
        return TestClient.tlsContext(keys.getKeyManagers());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void renegotiation_inTls12_isRefused(TlsMode transport) throws Exception {
        Listener listener = listen(transport, config(ec));
        SSLSocket socket = connect(TestClient.tlsContext(), listener);
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        echo(socket, "before");
        assertTrue(socket.getSession() instanceof ExtendedSSLSession);
        socket.getSession().invalidate();
        assertThrows(
                IOException.class,
                () -> {
                    socket.startHandshake();
                    echo(socket, "after");
                });
        Until.holds("closed", () -> listener.connectionCount() == 0);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void cipherSuites_configured_areUsedInTheServersOrder(TlsMode transport) throws Exception {
        List<String> suites =
                List.of(
                        "TLS_CHACHA20_POLY1305_SHA256",
                        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                        "TLS_AES_128_GCM_SHA256");
        Listener listener = listen(transport, withSuites(suites));
        for (int i = 0; i < 2; i++) {
            SSLSocket socket = connect(TestClient.tlsContext(), listener);
            socket.setEnabledProtocols(new String[] {i == 0 ? "TLSv1.3" : "TLSv1.2"});
            echo(socket, "hello");
            assertEquals(suites.get(i), socket.getSession().getCipherSuite());
        }
        TlsSetupException failure =
                assertThrows(
                        TlsSetupException.class,
                        () -> listen(transport, withSuites(List.of("TLS_NONE"))));
        assertTrue(failure.getMessage().contains("'TLS_NONE'"), failure.getMessage());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void cipherSuites_notConfigured_areUsedInTheClientsOrder(TlsMode transport) throws Exception {
        Listener listener = listen(transport, config(ec).withApplicationProtocols(List.of()));
        for (List<String> suites :
                List.of(
                        List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"),
                        List.of("TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256"))) {
            SSLSocket socket = connect(TestClient.tlsContext(), listener);
            socket.setEnabledCipherSuites(suites.toArray(new String[0]));
            echo(socket, "hello");
            assertEquals(suites.getFirst(), socket.getSession().getCipherSuite());
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void cbcSuites_withoutConfiguration_areRefused_CVE_2013_0169(TlsMode transport)
            throws Exception {
        Listener listener = listen(transport, config(ec));
        SSLSocket socket = connect(TestClient.tlsContext(), listener);
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        socket.setEnabledCipherSuites(
                new String[] {
                    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"
                });
        assertThrows(IOException.class, socket::startHandshake);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void finiteFieldSuites_withoutConfiguration_areRefused_CVE_2002_20001(TlsMode transport)
            throws Exception {
        Listener listener = listen(transport, config(rsa));
        SSLSocket socket = connect(TestClient.tlsContext(), listener);
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        socket.setEnabledCipherSuites(
                new String[] {
                    "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384"
                });
        assertThrows(IOException.class, socket::startHandshake);
    }

    private static TlsConfig withSuites(List<String> suites) {
        return config(ec).withApplicationProtocols(List.of()).withCipherSuites(suites);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void provider_named_isTheOneThatIsUsed(TlsMode transport) throws Exception {
        String said = listen(transport, config(ec)).tlsProvider();
        String wanted = transport.provider() == TlsConfig.Provider.JSSE ? "JSSE" : "OpenSSL 3.";
        assertTrue(said != null && said.startsWith(wanted), said);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void keyUpdate_inTls13_isAnswered(TlsMode transport) throws Exception {
        Listener listener = listen(transport, config(ec));
        SSLSocket socket = connect(TestClient.tlsContext(), listener);
        socket.setEnabledProtocols(new String[] {"TLSv1.3"});
        for (int i = 0; i < 5; i++) {
            echo(socket, "round " + i);
            socket.startHandshake();
        }
        echo(socket, "after");
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void close_byServer_sendsCloseNotify(TlsMode transport) throws Exception {
        Listener listener =
                listen(
                        transport,
                        config(ec),
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() throws IOException {
                                        c.read(new byte[10], 0, 10);
                                        c.write("bye".getBytes(), 0, 3);
                                        c.close();
                                    }
                                });
        SSLSocket socket = connect(TestClient.tlsContext(), listener);
        socket.getOutputStream().write(1);
        // Without close_notify the JDK's client throws here instead of ending.
        assertEquals("bye", new String(socket.getInputStream().readAllBytes()));
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void oneRecord_readInSmallPieces_staysReadable(TlsMode transport) throws Exception {
        Listener listener =
                listen(
                        transport,
                        config(ec),
                        c ->
                                new Scripted(c) {
                                    @Override
                                    void readable() throws IOException {
                                        byte[] three = new byte[3];
                                        int n = c.read(three, 0, 3);
                                        if (n < 0) {
                                            c.close();
                                        } else if (n > 0) {
                                            c.write(three, 0, n);
                                        }
                                    }
                                });
        SSLSocket socket = connect(TestClient.tlsContext(), listener);
        // So few that all answers, a record for three bytes each, may wait unread (64 KiB).
        byte[] sent = new byte[3_000];
        new java.util.Random(9).nextBytes(sent);
        socket.getOutputStream().write(sent);
        assertArrayEquals(sent, socket.getInputStream().readNBytes(sent.length));
    }

    @Test
    void certificateFiles_unusable_listenSaysWhichAndWhy() throws Exception {
        Path none = directory.resolve("none.pem");
        assertProblem(new TlsConfig.Certificate(none, ec.key()), "none.pem", "no such file");
        assertProblem(
                new TlsConfig.Certificate(ec.cert(), shop.key()), "shop.key", "does not belong");
        assertProblem(new TlsConfig.Certificate(ec.key(), ec.key()), "ec.key", "no certificate");
    }

    private void assertProblem(TlsConfig.Certificate files, String file, String words) {
        TlsSetupException failure =
                assertThrows(
                        TlsSetupException.class,
                        () ->
                                listen(
                                        new TlsMode("nio", TlsConfig.Provider.AUTO),
                                        TlsConfig.of(files.cert(), files.key())));
        assertTrue(
                failure.getMessage().contains(file) && failure.getMessage().contains(words),
                failure.getMessage());
    }
}
