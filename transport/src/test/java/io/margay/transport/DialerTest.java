package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.SelfSigned;
import io.margay.testkit.TestAuthority;
import io.margay.transport.TlsClientConfig.Unverified;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Outbound connections of every transport.
@Tag("slow")
final class DialerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir Path folder;

    /// Sends `hello` and collects what comes back.
    private static final class Greeter implements ConnectionHandler {
        private final Connection connection;
        private final BlockingQueue<String> events;

        Greeter(Connection connection, BlockingQueue<String> events) {
            this.connection = connection;
            this.events = events;
            connection.execute(this::greet);
        }

        private void greet() {
            try {
                byte[] hello = "hello".getBytes(StandardCharsets.US_ASCII);
                assertEquals(hello.length, connection.write(hello, 0, hello.length));
                connection.interest(Connection.READ);
            } catch (IOException e) {
                events.add(e.toString());
            }
        }

        @Override
        public void onReadable() {
            byte[] buffer = new byte[100];
            try {
                int count = connection.read(buffer, 0, buffer.length);
                if (count < 0) {
                    connection.close();
                } else if (count > 0) {
                    events.add(new String(buffer, 0, count, StandardCharsets.US_ASCII));
                }
            } catch (IOException e) {
                events.add(e.toString());
                connection.close();
            }
        }

        @Override
        public void onWritable() {
            connection.interest(Connection.READ);
        }

        @Override
        public void onDeadline() {
            events.add("deadline");
        }

        @Override
        public void onClosed() {
            events.add("closed");
        }
    }

    /// What became of dialling: `null` or the failure; the events follow.
    private static @Nullable IOException dial(
            Transport transport,
            SocketAddress address,
            @Nullable TlsClientConfig tls,
            Duration timeout,
            BlockingQueue<String> events)
            throws Exception {
        CompletableFuture<@Nullable IOException> done = new CompletableFuture<>();
        Dialer dialer = transport.dialer();
        dialer.execute(() ->
                dialer.dial(
                        new DialTarget(address, timeout, tls),
                        connection -> {
                            assertTrue(dialer.inLoop());
                            assertEquals(dialer, connection.dialer());
                            done.complete(null);
                            return new Greeter(connection, events);
                        },
                        done::complete));
        return done.get(20, TimeUnit.SECONDS);
    }

    private static Transport open(String name) throws IOException {
        return Transports.open(name, TransportConfig.defaults().withLoops(2));
    }

    private static String next(BlockingQueue<String> events) throws InterruptedException {
        return String.valueOf(events.poll(10, TimeUnit.SECONDS));
    }

    private static Listener echo(Transport transport, @Nullable TlsConfig tls) throws IOException {
        Echo.Record record = new Echo.Record();
        ListenerConfig config =
                ListenerConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return transport.listen(
                tls == null ? config : config.withTls(tls),
                connection -> new Echo(connection, record));
    }

    private static int port(Listener listener) {
        return ((InetSocketAddress) listener.address()).getPort();
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void connection_byNameAndByAddress_carriesBytes(String name) throws Exception {
        try (Transport transport = open(name);
                Listener echo = echo(transport, null)) {
            for (InetSocketAddress address :
                    new InetSocketAddress[] {
                        (InetSocketAddress) echo.address(),
                        InetSocketAddress.createUnresolved("localhost", port(echo))
                    }) {
                BlockingQueue<String> events = new LinkedBlockingQueue<>();
                assertEquals(null, dial(transport, address, null, PATIENCE, events));
                assertEquals("hello", next(events));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void connection_thatIsRefused_fails(String name) throws Exception {
        try (Transport transport = open(name);
                Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            IOException failure =
                    dial(
                            transport,
                            bound.getLocalSocketAddress(),
                            null,
                            PATIENCE,
                            new LinkedBlockingQueue<>());
            assertNotNull(failure);
            assertTrue(
                    String.valueOf(failure.getMessage()).contains("refused"), failure.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void name_thatIsUnknown_fails(String name) throws Exception {
        try (Transport transport = open(name)) {
            SocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
            IOException failure =
                    dial(transport, nowhere, null, PATIENCE, new LinkedBlockingQueue<>());
            assertInstanceOf(UnknownHostException.class, failure);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void unixSocket_carriesBytes_andItsAbsenceFails(String name) throws Exception {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        try (Transport transport = open(name)) {
            assertNotNull(dial(transport, address, null, PATIENCE, events));
            try (ServerSocketChannel server =
                    ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                server.bind(address);
                Thread.ofVirtual().start(() -> echoOnce(server));
                assertEquals(null, dial(transport, address, null, PATIENCE, events));
                assertEquals("hello", next(events));
                assertEquals("closed", next(events));
            }
        }
    }

    private static void echoOnce(ServerSocketChannel server) {
        try (SocketChannel channel = server.accept()) {
            ByteBuffer buffer = ByteBuffer.allocate(5);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                // More is to come.
            }
            channel.write(buffer.flip());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void tls_isVerified(String name) throws Exception {
        SelfSigned made = SelfSigned.make(folder, "localhost", "EC", List.of("DNS:localhost"));
        try (Transport transport = open(name);
                Listener echo = echo(transport, TlsConfig.of(made.cert(), made.key()))) {
            SocketAddress address = echo.address();
            BlockingQueue<String> events = new LinkedBlockingQueue<>();
            TlsClientConfig trusting =
                    new TlsClientConfig(
                            "localhost", true, made.cert(), java.util.List.of("http/1.1"));
            assertEquals(null, dial(transport, address, trusting, PATIENCE, events));
            assertEquals("hello", next(events));
            TlsClientConfig blind =
                    new TlsClientConfig("other.example", false, null, java.util.List.of());
            assertEquals(null, dial(transport, address, blind, PATIENCE, events));
            assertEquals("hello", next(events));
            TlsClientConfig otherName =
                    new TlsClientConfig("other.example", true, made.cert(), java.util.List.of());
            assertInstanceOf(
                    SSLException.class, dial(transport, address, otherName, PATIENCE, events));
            assertInstanceOf(
                    SSLException.class,
                    dial(transport, address, TlsClientConfig.of("localhost"), PATIENCE, events));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "nio", "native"})
    void certificate_thatNobodyVerifies_isAskedForItsDatesAndName(String name) throws Exception {
        TestAuthority strange = TestAuthority.in(folder, "strange-" + name);
        TestAuthority.Issued site = strange.issue("site", "localhost");
        TestAuthority.Issued late = strange.expired("late");
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        try (Transport transport = open(name);
                Listener good = echo(transport, TlsConfig.of(site.cert(), site.key()));
                Listener old = echo(transport, TlsConfig.of(late.cert(), late.key()))) {
            TlsClientConfig any = unverified(Unverified.ANY);
            TlsClientConfig dated = unverified(Unverified.DATED);
            TlsClientConfig named = unverified(Unverified.NAMED);
            for (TlsClientConfig one : List.of(any, dated, named, dated.withServerName("other"))) {
                assertEquals(null, dial(transport, good.address(), one, PATIENCE, events));
                assertEquals("hello", next(events));
            }
            assertEquals(null, dial(transport, old.address(), any, PATIENCE, events));
            assertEquals("hello", next(events));
            assertInstanceOf(
                    SSLException.class, dial(transport, old.address(), dated, PATIENCE, events));
            assertInstanceOf(
                    SSLException.class,
                    dial(
                            transport,
                            good.address(),
                            named.withServerName("other"),
                            PATIENCE,
                            events));
        }
    }

    private static TlsClientConfig unverified(Unverified least) {
        return new TlsClientConfig("localhost", false, null, List.of("http/1.1"), List.of(), least);
    }

    /// Whether a server that asks for a certificate lets one in who shows these.
    private static boolean isLetIn(
            Transport transport,
            Listener echo,
            TestAuthority authority,
            TlsConfig.Certificate... shown)
            throws Exception {
        TlsClientConfig tls =
                new TlsClientConfig(
                        "localhost", true, authority.cert(), List.of("http/1.1"), List.of(shown));
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        // TLS 1.3 refuses a client after its handshake.
        return dial(transport, echo.address(), tls, PATIENCE, events) == null
                && next(events).equals("hello");
    }

    @ParameterizedTest
    @MethodSource("io.margay.transport.TlsMode#all")
    void certificate_isShownToAServerThatAsks_andTakenAgainWhenItsFilesChange(TlsMode mode)
            throws Exception {
        TestAuthority staff = TestAuthority.in(folder, "staff");
        TestAuthority branch = staff.intermediate("branch");
        TestAuthority.Issued own = branch.issue("own");
        TestAuthority.Issued strange = TestAuthority.in(folder, "guests").issue("strange");
        TestAuthority.Issued site = staff.issue("site", "localhost");
        TransportConfig often =
                TransportConfig.defaults().withLoops(2).withCertificateCheck(Duration.ofMillis(20));
        TlsConfig asking =
                TlsConfig.of(site.cert(), site.key())
                        .withClients(ClientCertificates.of(TlsConfig.ClientAuth.NEED, staff.cert()))
                        .with(mode.provider());
        try (Transport transport = Transports.open(mode.transport(), often);
                Listener echo = echo(transport, asking)) {
            assertFalse(isLetIn(transport, echo, staff));
            TlsConfig.Certificate good = new TlsConfig.Certificate(own.cert(), own.key());
            TlsConfig.Certificate other = new TlsConfig.Certificate(strange.cert(), strange.key());
            assertTrue(isLetIn(transport, echo, staff, other, good));
            assertFalse(isLetIn(transport, echo, staff, other));
            Files.copy(own.key(), strange.key(), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(own.cert(), strange.cert(), StandardCopyOption.REPLACE_EXISTING);
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!isLetIn(transport, echo, staff, other)) {
                assertTrue(System.nanoTime() < end);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void tlsHandshake_thatIsNotAnswered_timesOut(String name) throws Exception {
        try (Transport transport = open(name);
                ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            IOException failure =
                    dial(
                            transport,
                            silent.getLocalSocketAddress(),
                            TlsClientConfig.of("localhost"),
                            Duration.ofMillis(200),
                            new LinkedBlockingQueue<>());
            assertInstanceOf(SSLException.class, failure);
            assertInstanceOf(SocketTimeoutException.class, failure.getCause());
        }
    }
}
