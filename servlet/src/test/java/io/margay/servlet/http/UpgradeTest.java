package io.margay.servlet.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.HttpServer;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.server.dispatch.WorkerPool;
import io.margay.servlet.test.TestApp;
import io.margay.testkit.RawHttpClient;
import io.margay.transport.ListenerConfig;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.factory.Transports;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Upgraded connections on which several threads work, as protocols with two directions have them.
final class UpgradeTest {
    private static final int PIECES = 2000;

    /// Sends every byte back as a capital letter, while a thread of its own sends points.
    public abstract static sealed class Both implements HttpUpgradeHandler, ReadListener {
        ServletInputStream input;
        ServletOutputStream output;

        @Override
        public void init(WebConnection connection) {
            try {
                input = connection.getInputStream();
                output = connection.getOutputStream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            input.setReadListener(this);
            listen();
            Thread.ofPlatform().start(this::points);
        }

        /// Before the other thread begins.
        void listen() {}

        abstract void points();

        abstract void answer(int octet) throws IOException;

        @Override
        public void onDataAvailable() throws IOException {
            while (input.isReady()) {
                int octet = input.read();
                if (octet < 0) {
                    return;
                }
                answer(octet - 32);
            }
        }

        @Override
        public void onAllDataRead() {
            // The other direction goes on.
        }

        @Override
        public void onError(Throwable failure) {
            throw new IllegalStateException(failure);
        }

        @Override
        public void destroy() {
            // Nothing is held.
        }
    }

    /// Writes wait.
    public static final class Blocking extends Both {
        @Override
        void points() {
            try {
                for (int i = 0; i < PIECES; i++) {
                    output.write('.');
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        void answer(int octet) throws IOException {
            output.write(octet);
        }
    }

    /// Writes go out when a listener is told so; the other thread asks for that.
    public static final class Listening extends Both implements WriteListener {
        private final StringBuffer due = new StringBuffer();

        @Override
        void listen() {
            output.setWriteListener(this);
        }

        @Override
        void points() {
            for (int i = 0; i < PIECES; i++) {
                due.append('.');
                if (output.isReady()) {
                    throw new IllegalStateException("ready outside of a turn");
                }
            }
        }

        @Override
        void answer(int octet) throws IOException {
            due.append((char) octet);
            if (output.isReady()) {
                onWritePossible();
            }
        }

        @Override
        public void onWritePossible() throws IOException {
            while (!due.isEmpty() && output.isReady()) {
                String now = due.toString();
                due.delete(0, now.length());
                output.write(now.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void writes_ofAnotherThread_goBetweenThoseOfCallbacks(String transport) throws Exception {
        talk(transport, Blocking.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "nio", "blocking"})
    void writeListener_isToldWhatAnotherThreadAsksFor(String transport) throws Exception {
        talk(transport, Listening.class);
    }

    private static void talk(String transportName, Class<? extends HttpUpgradeHandler> handler)
            throws Exception {
        TestApp app = TestApp.root().servlet("/up", (q, r) -> q.upgrade(handler));
        TransportConfig config = TransportConfig.defaults().withLoops(1);
        try (Transport transport = Transports.open(transportName, config);
                WorkerPool workers = new WorkerPool(WorkerLimits.defaults());
                HttpServer server = new HttpServer(app.start().handler(), workers)) {
            var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            var at = server.listen(transport, ListenerConfig.of(any)).socket().address();
            try (RawHttpClient client = RawHttpClient.connect((InetSocketAddress) at)) {
                client.send("GET /up HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\r\n");
                assertTrue(client.line().contains(" 101 "));
                while (!client.line().isEmpty()) {
                    // The head.
                }
                int points = 0;
                int letters = 0;
                byte[] some = new byte[1000];
                for (int i = 0; i < PIECES; i++) {
                    client.send("a");
                    while (letters <= i) {
                        int count = client.read(some, 0, some.length);
                        assertTrue(count > 0, "after " + points + " and " + letters);
                        for (int j = 0; j < count; j++) {
                            points += some[j] == '.' ? 1 : 0;
                            letters += some[j] == 'A' ? 1 : 0;
                        }
                    }
                }
                while (points < PIECES) {
                    assertEquals('.', client.read());
                    points++;
                }
            }
        }
    }
}
