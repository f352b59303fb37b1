package io.margay.server.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.server.ajp.Httpd.Way;
import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpLimits;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many requests through each real front end, every content compared, clients that leave among
/// them. Not among the usual tests: `make ajp-soak`, `-Dmargay.soak.requests=N`.
class HttpdSoak {
    private static final String SECRET = "s3cret-of-the-soak";
    private static final int CLIENTS = 16;
    private static final int LEAVE_EVERY = 997;

    private final long requests = Long.getLong("margay.soak.requests", 1_000_000);
    private final LongAdder done = new LongAdder();
    private final LongAdder left = new LongAdder();

    @ParameterizedTest
    @EnumSource(names = {"JK", "PROXY"})
    void requests_throughHttpd_noneFails(Way way) throws Exception {
        long begin = System.nanoTime();
        HttpLimits limits = HttpLimits.defaults();
        AjpConfig config = AjpConfig.withSecret(SECRET);
        try (AjpServer server = new AjpServer("native", Repertoire::handle, config, limits);
                Httpd httpd =
                        new Httpd(server.address().getPort(), server.address().getPort(), SECRET);
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Long>> runs = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                long seed = 4711 + i;
                Callable<Long> run = () -> client(httpd.port(way), new Random(seed));
                runs.add(threads.submit(run));
            }
            long verified = 0;
            for (Future<Long> run : runs) {
                verified += run.get();
            }
            assertEquals(requests / CLIENTS * CLIENTS, verified);
            System.out.printf(
                    "%s: %d requests verified, %d clients left, in %d s; %s%n",
                    way,
                    verified,
                    left.sum(),
                    (System.nanoTime() - begin) / 1_000_000_000L,
                    server.listener().stats().read());
        }
    }

    private long client(int port, Random random) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        long share = requests / CLIENTS;
        long verified = 0;
        RawHttpClient client = RawHttpClient.connect(address);
        try {
            while (verified < share) {
                if (random.nextInt(LEAVE_EVERY) == 0) {
                    leave(port, random);
                    left.increment();
                }
                RawHttpClient.Response response = ask(client, random);
                verified++;
                progress();
                if (response.closes()) {
                    client.close();
                    client = RawHttpClient.connect(address);
                }
            }
        } finally {
            client.close();
        }
        return verified;
    }

    private static RawHttpClient.Response ask(RawHttpClient client, Random random)
            throws IOException {
        int size = random.nextInt(20) == 0 ? random.nextInt(100_000) : random.nextInt(2_000);
        byte[] content = Repertoire.content(size);
        if (random.nextInt(4) == 0) {
            String head = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: " + size + "\r\n\r\n";
            client.send(head).send(content);
        } else {
            String kind = random.nextInt(3) == 0 ? "/pieces/" : "/bytes/";
            client.send("GET " + kind + size + " HTTP/1.1\r\nHost: h\r\n\r\n");
        }
        RawHttpClient.Response response = client.response();
        if (response.status() != 200 || !Arrays.equals(content, response.body())) {
            throw new IOException(
                    "wrong answer: "
                            + response.statusLine()
                            + ", "
                            + response.body().length
                            + " bytes of "
                            + size);
        }
        return response;
    }

    /// A client that goes away in the middle of a request or a response.
    private static void leave(int port, Random random) throws IOException {
        String request =
                random.nextBoolean()
                        ? "GET /pieces/5000000 HTTP/1.1\r\nHost: h\r\n\r\n"
                        : "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\nabc";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private void progress() {
        done.increment();
        long count = done.sum();
        if (count % 100_000 == 0) {
            System.out.println(count + " requests");
        }
    }
}
