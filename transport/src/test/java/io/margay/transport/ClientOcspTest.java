package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.margay.testkit.FreePort;
import io.margay.testkit.TestAuthority;
import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.ClientCertificates.OcspCheck;
import io.margay.transport.TlsConfig.ClientAuth;
import io.margay.transport.factory.TlsFiles;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Certificates of clients about which OpenSSL's OCSP responder is asked.
@Timeout(60)
final class ClientOcspTest {
    @TempDir static Path folder;
    private static TestAuthority staff;
    private static TestAuthority.Issued good;
    private static TestAuthority.Issued gone;
    private static TestAuthority.Issued unnamed;
    private static TestAuthority.Issued unreachable;
    private static TestAuthority.Issued nonsense;
    private static TestAuthority.Issued remote;
    private static TestAuthority.Issued remoteGone;
    private static TestAuthority.Issued site;
    private static final List<HttpServer> RESPONDERS = new ArrayList<>();

    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void makeAuthorities() throws Exception {
        staff = TestAuthority.in(folder, "staff");
        TestAuthority branch = staff.intermediate("branch");
        int port = responder(staff::answer);
        int branchPort = responder(branch::answer);
        int liar = responder(question -> new byte[] {0x30, 0});
        good = staff.issueWithResponder("good", port);
        gone = staff.issueWithResponder("gone", port);
        unnamed = staff.issue("unnamed");
        unreachable = staff.issueWithResponder("unreachable", FreePort.next());
        nonsense = staff.issueWithResponder("nonsense", liar);
        remote = branch.issueWithResponder("remote", branchPort);
        remoteGone = branch.issueWithResponder("remotegone", branchPort);
        site = staff.issue("site", "localhost");
        staff.revoke(gone);
        branch.revoke(remoteGone);
    }

    /// Serves answers to questions, which come in the path or as content (RFC 6960 §A.1).
    private static int responder(UnaryOperator<byte[]> answers) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    String path = exchange.getRequestURI().getPath();
                    byte[] question =
                            exchange.getRequestMethod().equals("GET")
                                    ? Base64.getDecoder().decode(path.substring(1))
                                    : exchange.getRequestBody().readAllBytes();
                    byte[] answer = answers.apply(question);
                    exchange.getResponseHeaders().set("Content-Type", "application/ocsp-response");
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        server.start();
        RESPONDERS.add(server);
        return server.getAddress().getPort();
    }

    @AfterAll
    static void end() {
        RESPONDERS.forEach(server -> server.stop(0));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private static TlsConfig config(OcspCheck check) {
        return TlsConfig.of(site.cert(), site.key())
                .withClients(
                        ClientCertificates.of(ClientAuth.NEED, staff.cert())
                                .withCrls(List.of(), CrlCheck.CHAIN)
                                .withOcsp(check));
    }

    private Listener listen(String name, TlsConfig tls) throws IOException {
        Transport transport = Transports.open(name, TransportConfig.defaults());
        open.add(transport);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return transport.listen(
                ListenerConfig.of(any).withTls(tls), c -> new Echo(c, new Echo.Record()));
    }

    /// Whether bytes come back.
    private static boolean isLetIn(Listener listener, TestAuthority.Issued certificate)
            throws Exception {
        KeyManager[] keys = {certificate.always()};
        try (SSLSocket socket = TestClient.tls(TestClient.tlsContext(keys), listener.address())) {
            socket.getOutputStream().write('x');
            return socket.getInputStream().read() == 'x';
        } catch (IOException e) {
            assertTrue(!String.valueOf(e.getMessage()).contains("timed out"), e.getMessage());
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void hardCheck_letsIn_whomTheResponderVouchesFor(String transport) throws Exception {
        Listener listener = listen(transport, config(OcspCheck.HARD));
        assertEquals("JSSE", listener.tlsProvider());
        assertTrue(isLetIn(listener, good));
        assertTrue(isLetIn(listener, remote));
        assertEquals(false, isLetIn(listener, gone));
        assertEquals(false, isLetIn(listener, remoteGone));
        assertEquals(false, isLetIn(listener, unnamed));
        assertEquals(false, isLetIn(listener, unreachable));
        assertEquals(false, isLetIn(listener, good), "not asked again so soon");
    }

    /// Nothing is left of a client that goes away while its responder is asked.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void clientThatLeaves_whileItsResponderIsAsked_disturbsNobody_cve2026_40701(String transport)
            throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        int port =
                responder(question -> {
                    asked.countDown();
                    try {
                        assertTrue(left.await(30, TimeUnit.SECONDS));
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return staff.answer(question);
                });
        TestAuthority.Issued slow = staff.issueWithResponder("slow-" + transport, port);
        Listener listener = listen(transport, config(OcspCheck.HARD));
        KeyManager[] keys = {slow.always()};
        SSLSocket socket = TestClient.tls(TestClient.tlsContext(keys), listener.address());
        Thread client = Thread.ofVirtual().start(() -> handshake(socket));
        assertTrue(asked.await(30, TimeUnit.SECONDS));
        socket.setSoLinger(true, 0);
        socket.close();
        left.countDown();
        client.join();
        assertTrue(isLetIn(listener, good));
        assertTrue(isLetIn(listener, slow));
    }

    private static void handshake(SSLSocket socket) {
        try {
            socket.startHandshake();
            assertEquals(-1, socket.getInputStream().read());
        } catch (IOException e) {
            // It was closed.
        }
    }

    @Test
    void checkOfAll_refuses_whomAnAuthorityVouchesForThatNamesNoResponder() throws Exception {
        Listener listener = listen("nio", config(OcspCheck.ALL));
        assertTrue(isLetIn(listener, good));
        assertEquals(false, isLetIn(listener, gone));
        assertEquals(false, isLetIn(listener, unnamed));
        assertEquals(false, isLetIn(listener, remote), "its authority names none");
        assertEquals(false, isLetIn(listener, unreachable));
    }

    @Test
    void softCheck_doesWithoutResponders_thatCannotBeReached() throws Exception {
        Listener listener = listen("nio", config(OcspCheck.SOFT));
        assertTrue(isLetIn(listener, good));
        assertEquals(false, isLetIn(listener, gone));
        assertEquals(false, isLetIn(listener, nonsense), "it has been reached");
        assertTrue(isLetIn(listener, unnamed));
        assertTrue(isLetIn(listener, unreachable));
    }

    @Test
    void noCheck_asksNobody() throws Exception {
        assertTrue(isLetIn(listen("nio", config(OcspCheck.NONE)), gone));
    }

    @Test
    void openSsl_doesNotAsk_andSaysSo() {
        TlsConfig tls = config(OcspCheck.HARD).with(TlsConfig.Provider.OPENSSL);
        assertEquals(1, TlsFiles.problems(tls).size(), "as the check says");
        TlsSetupException e = assertThrows(TlsSetupException.class, () -> listen("nio", tls));
        assertTrue(String.valueOf(e.getMessage()).contains("OCSP responders"), e.getMessage());
    }
}
