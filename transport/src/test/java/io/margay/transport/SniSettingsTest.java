package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.TestAuthority;
import io.margay.testkit.program.Program;
import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.TlsConfig.ClientAuth;
import io.margay.transport.TlsConfig.Named;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is asked of clients by the name that they ask for, with both kinds of TLS.
@Tag("slow")
@Timeout(120)
final class SniSettingsTest {
    private static final List<String> VERSIONS = List.of("TLSv1.2", "TLSv1.3");
    private static final String PUBLIC = "public.example";
    private static final String ADMIN = "admin.example";
    private static final String PARTNER = "partner.example";

    @TempDir static Path folder;
    private static TestAuthority staff;
    private static TestAuthority guests;
    private static TestAuthority branch;
    private static TestAuthority.Issued ada;
    private static TestAuthority.Issued gone;
    private static TestAuthority.Issued late;
    private static TestAuthority.Issued guest;
    private static TestAuthority.Issued remote;
    private static TestAuthority.Issued site;
    private static Path crl;

    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void makeAuthorities() {
        staff = TestAuthority.in(folder, "staff");
        guests = TestAuthority.in(folder, "guests");
        branch = staff.intermediate("branch");
        ada = staff.issue("ada");
        gone = staff.issue("gone");
        late = staff.expired("late");
        guest = guests.issue("guest");
        remote = branch.issue("remote");
        site = staff.issue("site", PUBLIC, ADMIN, PARTNER);
        staff.revoke(gone);
        crl = staff.crl();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private static TlsConfig config() {
        return TlsConfig.of(site.cert(), site.key());
    }

    private static ClientCertificates needs(TestAuthority authority) {
        return ClientCertificates.of(ClientAuth.NEED, authority.cert());
    }

    private static Named named(String name, TlsConfig tls) {
        return new Named(List.of(name), tls);
    }

    /// Nothing asked of the public, certificates of the staff, or of guests.
    private static TlsConfig byName() {
        return config().withNamed(
                        List.of(
                                named(
                                        ADMIN,
                                        config().withClients(
                                                        needs(staff)
                                                                .withCrls(
                                                                        List.of(crl),
                                                                        CrlCheck.CHAIN))),
                                named("*." + PARTNER, config().withClients(needs(guests)))));
    }

    private Listener listen(TlsMode mode, TlsConfig tls) throws IOException {
        Transport transport =
                Transports.open(
                        mode.transport(),
                        TransportConfig.defaults().withCertificateCheck(Duration.ofMillis(50)));
        open.add(transport);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return transport.listen(
                ListenerConfig.of(any).withTls(tls.with(mode.provider())),
                c -> new Echo(c, new Echo.Record()));
    }

    private SSLSocket connect(
            Listener listener,
            @Nullable String host,
            TestAuthority.@Nullable Issued certificate,
            String version)
            throws Exception {
        KeyManager[] keys =
                certificate == null ? new KeyManager[0] : new KeyManager[] {certificate.always()};
        SSLSocket socket = TestClient.tls(TestClient.tlsContext(keys), listener.address());
        open.add(socket);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setServerNames(host == null ? List.of() : List.of(new SNIHostName(host)));
        socket.setSSLParameters(parameters);
        return socket;
    }

    /// Whether bytes come back.
    private boolean isLetIn(
            Listener listener,
            @Nullable String host,
            TestAuthority.@Nullable Issued certificate,
            String version)
            throws Exception {
        try (SSLSocket socket = connect(listener, host, certificate, version)) {
            byte[] sent = "hello".getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(sent);
            byte[] got = socket.getInputStream().readNBytes(sent.length);
            assertTrue(got.length == 0 || got.length == sent.length, "part of an echo");
            return got.length > 0;
        } catch (IOException e) {
            assertFalse(String.valueOf(e.getMessage()).contains("timed out"), e.getMessage());
            return false;
        }
    }

    private void assertLetIn(
            boolean expected,
            Listener listener,
            @Nullable String host,
            TestAuthority.@Nullable Issued certificate)
            throws Exception {
        for (String version : VERSIONS) {
            String who = certificate == null ? "nobody" : certificate.name();
            assertEquals(
                    expected,
                    isLetIn(listener, host, certificate, version),
                    () -> who + " at " + host + " by " + version);
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void clientCertificate_byName_isAskedForWhereItIsNeeded(TlsMode mode) throws Exception {
        Listener listener = listen(mode, byName());
        assertLetIn(true, listener, PUBLIC, null);
        assertLetIn(true, listener, null, null);
        assertLetIn(true, listener, PUBLIC, guest); // not asked for, not looked at
        assertLetIn(false, listener, ADMIN, null);
        assertLetIn(false, listener, "ADMIN.Example", null);
        assertLetIn(true, listener, ADMIN, ada);
        assertLetIn(false, listener, ADMIN, guest);
        assertLetIn(false, listener, ADMIN, late);
        assertLetIn(false, listener, ADMIN, gone);
        assertLetIn(false, listener, "a." + PARTNER, ada);
        assertLetIn(true, listener, "b.a." + PARTNER, guest);
        assertLetIn(true, listener, PARTNER, null);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void hosts_ofASession_areThoseWithTheSameDemands(TlsMode mode) throws Exception {
        Transport transport = Transports.open(mode.transport(), TransportConfig.defaults());
        open.add(transport);
        Echo.Record record = new Echo.Record();
        Listener listener =
                transport.listen(
                        ListenerConfig.of(
                                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                                .withTls(byName().with(mode.provider())),
                        c -> new Echo(c, record));
        ContractRig.echo(connect(listener, null, null, "TLSv1.3"), "hello");
        TlsSession open = record.last.tls();
        assertTrue(open.isFor(null));
        assertTrue(open.isFor(PUBLIC));
        assertFalse(open.isFor(ADMIN));
        assertFalse(open.isFor("ADMIN.example."));
        assertFalse(open.isFor("x." + PARTNER));
        ContractRig.echo(connect(listener, ADMIN, ada, "TLSv1.3"), "hello");
        TlsSession guarded = record.last.tls();
        assertTrue(guarded.isFor(ADMIN));
        assertFalse(guarded.isFor(null));
        assertFalse(guarded.isFor("x." + PARTNER));
        assertEquals(ada.certificate(), guarded.peerCertificates().getFirst());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void protocols_byName_areThoseOfTheName(TlsMode mode) throws Exception {
        Listener listener =
                listen(
                        mode,
                        config().withProtocols(List.of("TLSv1.2"))
                                .withNamed(
                                        List.of(
                                                named(
                                                        ADMIN,
                                                        config().withProtocols(
                                                                        List.of("TLSv1.3"))))));
        assertTrue(isLetIn(listener, PUBLIC, null, "TLSv1.2"));
        assertFalse(isLetIn(listener, PUBLIC, null, "TLSv1.3"));
        assertFalse(isLetIn(listener, ADMIN, null, "TLSv1.2"));
        assertTrue(isLetIn(listener, ADMIN, null, "TLSv1.3"));
    }

    /// The client of OpenSSL offers a session for a name for which it was not made.
    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void session_ofAnotherName_isNotResumedWhereMoreIsAsked(TlsMode mode) throws Exception {
        Listener listener = listen(mode, byName());
        for (String option : List.of("-tls1_2", "-tls1_3")) {
            Path session = folder.resolve("session-" + mode + option);
            assertTrue(client(listener, option, PUBLIC, "-sess_out", session).contains("echo"));
            String again = client(listener, option, PUBLIC, "-sess_in", session);
            assertTrue(again.contains("Reused, TLS") && again.contains("echo"), again);
            String other = client(listener, option, ADMIN, "-sess_in", session);
            assertFalse(other.contains("Reused, TLS") || other.contains("echo"), other);
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void session_ofAHostWithSettingsOfItsOwn_isResumed(TlsMode mode) throws Exception {
        TlsConfig own = config().withProtocols(List.of("TLSv1.2"));
        Listener listener = listen(mode, config().withNamed(List.of(named(ADMIN, own))));
        Path session = folder.resolve("named-session-" + mode);
        assertTrue(client(listener, "-tls1_2", ADMIN, "-sess_out", session).contains("echo"));
        String again = client(listener, "-tls1_2", ADMIN, "-sess_in", session);
        assertTrue(again.contains("Reused, TLS") && again.contains("echo"), again);
    }

    private static String client(
            Listener listener, String option, String host, String what, Path session)
            throws Exception {
        int port = ((InetSocketAddress) listener.address()).getPort();
        Process process =
                new ProcessBuilder(
                                Program.of("openssl"),
                                "s_client",
                                "-connect",
                                "127.0.0.1:" + port,
                                "-servername",
                                host,
                                option,
                                "-ign_eof",
                                what,
                                session.toString())
                        .redirectErrorStream(true)
                        .start();
        StringBuilder output = new StringBuilder();
        try (OutputStream in = process.getOutputStream()) {
            in.write("echo\n".getBytes(StandardCharsets.US_ASCII));
            in.flush();
            byte[] buffer = new byte[8192];
            for (int n = process.getInputStream().read(buffer);
                    n >= 0;
                    n = process.getInputStream().read(buffer)) {
                output.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                if (output.indexOf("\necho\n") >= 0) {
                    break;
                }
            }
        }
        process.destroy();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        return output.toString();
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void crl_renewed_refusesWhoWasLetIn(TlsMode mode) throws Exception {
        TestAuthority own = TestAuthority.in(folder, "own-" + mode);
        TestAuthority.Issued eve = own.issue("eve");
        ClientCertificates clients = needs(own).withCrls(List.of(own.crl()), CrlCheck.LEAF);
        Listener listener =
                listen(
                        mode,
                        config().withNamed(List.of(named(ADMIN, config().withClients(clients)))));
        assertLetIn(true, listener, ADMIN, eve);
        own.revoke(eve);
        own.crl();
        listener.reloadCertificates();
        assertLetIn(false, listener, ADMIN, eve);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void crl_missingOrExpired_refuses(TlsMode mode) throws Exception {
        TestAuthority own = TestAuthority.in(folder, "overdue-" + mode);
        TestAuthority.Issued eve = own.issue("eve");
        for (Path list : List.of(crl, own.expiredCrl())) {
            Listener listener =
                    listen(
                            mode,
                            config().withClients(
                                            needs(own).withCrls(List.of(list), CrlCheck.LEAF)));
            assertLetIn(false, listener, PUBLIC, eve);
        }
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void crlCheck_ofTheChain_wantsAListOfEachAuthority(TlsMode mode) throws Exception {
        TestAuthority root = TestAuthority.in(folder, "root-" + mode);
        TestAuthority below = root.intermediate("below");
        TestAuthority.Issued eve = below.issue("eve");
        root.revoke(below);
        List<Path> lists = List.of(root.crl(), below.crl());
        Listener leaf =
                listen(mode, config().withClients(needs(root).withCrls(lists, CrlCheck.LEAF)));
        assertLetIn(true, leaf, PUBLIC, eve);
        Listener chain =
                listen(mode, config().withClients(needs(root).withCrls(lists, CrlCheck.CHAIN)));
        assertLetIn(false, chain, PUBLIC, eve);
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void depth_ofChains_isBounded(TlsMode mode) throws Exception {
        Listener direct = listen(mode, config().withClients(needs(staff).withDepthMax(0)));
        assertLetIn(true, direct, PUBLIC, ada);
        assertLetIn(false, direct, PUBLIC, remote);
        Listener one = listen(mode, config().withClients(needs(staff).withDepthMax(1)));
        assertLetIn(true, one, PUBLIC, remote);
    }

    /// An intermediate authority that is trusted helps to build chains; alone it ends none.
    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void trust_withoutRoot_isRefusedAtTheStart(TlsMode mode) throws Exception {
        TlsSetupException failure =
                assertThrows(
                        TlsSetupException.class,
                        () -> listen(mode, config().withClients(needs(branch))));
        assertTrue(failure.getMessage().contains("self-signed"), failure.getMessage());
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void trust_inAFolder_isReadByHashedNames(TlsMode mode) throws Exception {
        Path store = Files.createDirectories(folder.resolve("store-" + mode));
        Files.copy(staff.cert(), store.resolve("0a1b2c3d.0"));
        Files.copy(guests.cert(), store.resolve("guests.pem"));
        Listener listener =
                listen(mode, config().withClients(ClientCertificates.of(ClientAuth.NEED, store)));
        assertLetIn(true, listener, PUBLIC, ada);
        assertLetIn(false, listener, PUBLIC, guest);
        Files.copy(guests.cert(), store.resolve("0a1b2c3e.0"));
        listener.reloadCertificates();
        assertLetIn(true, listener, PUBLIC, guest);
    }

    /// What is wrong with a folder must not end the watch over all files.
    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void trust_inAFolderThatHoldsTooMuch_staysAsItWas(TlsMode mode) throws Exception {
        Path store = Files.createDirectories(folder.resolve("full-" + mode));
        Files.copy(staff.cert(), store.resolve("0a1b2c3d.0"));
        Listener listener =
                listen(mode, config().withClients(ClientCertificates.of(ClientAuth.NEED, store)));
        for (int i = 1; i <= 4096; i++) {
            Files.createFile(store.resolve("0a1b2c3d." + i));
        }
        listener.reloadCertificates();
        assertLetIn(true, listener, PUBLIC, ada);
        assertLetIn(false, listener, PUBLIC, guest);
    }

    /// A first message in many records of few bytes, each of which comes by itself.
    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void firstMessage_inPieces_isReadAsAWhole(TlsMode mode) throws Exception {
        Listener listener = listen(mode, byName());
        for (String host : List.of(PUBLIC, ADMIN)) {
            byte[] hello = hello(host);
            Socket socket = TestClient.plain(listener.address());
            open.add(socket);
            for (int at = 5; at < hello.length; at += 7) {
                int n = Math.min(7, hello.length - at);
                byte[] record = new byte[5 + n];
                System.arraycopy(hello, 0, record, 0, 3);
                record[4] = (byte) n;
                System.arraycopy(hello, at, record, 5, n);
                socket.getOutputStream().write(record);
            }
            byte[] answer = socket.getInputStream().readNBytes(6);
            assertArrayEquals(new byte[] {22, 2}, new byte[] {answer[0], answer[5]}, host);
        }
    }

    private static byte[] hello(String host) throws Exception {
        javax.net.ssl.SSLEngine engine = TestClient.tlsContext().createSSLEngine(host, 443);
        engine.setUseClientMode(true);
        java.nio.ByteBuffer record = java.nio.ByteBuffer.allocate(20_000);
        engine.wrap(java.nio.ByteBuffer.allocate(0), record);
        byte[] bytes = new byte[record.flip().remaining()];
        record.get(bytes);
        return bytes;
    }
}
