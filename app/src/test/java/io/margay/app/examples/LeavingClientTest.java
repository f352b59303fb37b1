package io.margay.app.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.config.TransportChoice;
import io.margay.testkit.RawHttpClient;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;

/// Clients that leave in the middle: they must neither harm the others nor fill the operator's log.
@Tag("slow")
final class LeavingClientTest {
    private static final List<String> REQUESTS =
            List.of(
                    "GET /async/ticks?count=60&millis=10 HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /async/timer?millis=100 HTTP/1.1\r\nHost: a\r\n\r\n",
                    "POST /async/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\nabc",
                    "PUT /upload/digest HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\nabc",
                    "POST /upload/parts HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n"
                            + "Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n",
                    "GET /pages/images/image-66.png HTTP/1.1\r\nHost: a\r\n\r\n".repeat(66),
                    "GET /heartbeat/heartbeat.jsp HTTP/1.1\r\nHost: a\r\n\r\n".repeat(50));

    /// What operators would see.
    private static final class Complaints extends Handler {
        private final Queue<String> seen = new ConcurrentLinkedQueue<>();

        @Override
        public void publish(LogRecord logged) {
            if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
                seen.add(logged.getMessage() + ": " + logged.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @OnEveryTransport
    void clients_leavingAnywhere_areNoMatterForOperators(
            TransportChoice transport, ExampleServer server) throws Exception {
        Complaints complaints = new Complaints();
        Logger root = Logger.getLogger("");
        root.addHandler(complaints);
        try {
            for (int round = 0; round < 5; round++) {
                for (String request : REQUESTS) {
                    leave(server.connect(transport).send(request), round, true);
                    leave(server.connect(transport).send(request), round, false);
                }
            }
            // By then what they left behind has come to its end, too.
            try (RawHttpClient client = server.connect(transport)) {
                for (int i = 0; i < 20; i++) {
                    assertEquals(200, client.get("/async/timer?millis=30").status());
                }
            }
        } finally {
            root.removeHandler(complaints);
        }
        assertEquals(List.of(), List.copyOf(complaints.seen));
    }

    private static void leave(RawHttpClient client, int round, boolean abruptly) throws Exception {
        LockSupport.parkNanos(round * 10_000_000L);
        if (abruptly) {
            client.reset();
        } else {
            client.close();
        }
    }
}
