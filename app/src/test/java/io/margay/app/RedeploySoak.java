package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import io.margay.app.sample.CountServlet;
import io.margay.testkit.Eventually;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Redeploys an application again and again while requests come on every transport: no request may
/// fail, no session may lose a count, and metaspace and threads must stay flat. Not part of the
/// tests of a build: `make redeploy-soak`.
final class RedeploySoak {
    private static final int REDEPLOYS = Integer.getInteger("margay.soak.redeploys", 200);
    private static final int LOOKS = 10;

    /// What may come and go: a compiler's cache, a thread of the JDK.
    private static final long METASPACE_SLACK_BYTES = 6L << 20;

    private static final int THREADS_SLACK = 4;
    private static final AppName APP = new AppName(List.of(), "/shop", "");

    @TempDir Path folder;

    /// @param classes loaded now
    private record Look(int redeploys, long metaspaceBytes, int threads, int classes) {
        static Look after(int redeploys) {
            long metaspace =
                    ManagementFactory.getMemoryPoolMXBeans().stream()
                            .filter(pool -> pool.getName().equals("Metaspace"))
                            .mapToLong((MemoryPoolMXBean pool) -> pool.getUsage().getUsed())
                            .sum();
            return new Look(
                    redeploys,
                    metaspace,
                    serverThreads(),
                    ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
        }

        /// Without those of the clients, which run in this JVM too.
        private static int serverThreads() {
            return (int)
                    Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> !thread.getName().startsWith("HttpClient-"))
                            .filter(thread -> !thread.getName().startsWith("ForkJoinPool.common"))
                            .count();
        }

        String line() {
            return String.format(
                    Locale.ROOT,
                    "%4d redeployments: metaspace %6.2f MiB, %3d threads, %6d classes",
                    redeploys,
                    metaspaceBytes / 1048576.0,
                    threads,
                    classes);
        }
    }

    private Path build(int number) throws Exception {
        return Wars.with("v.txt", "build " + number)
                .and("page.jsp", "<%= " + number + " + 0 %>")
                .servlet(CountServlet.class, "/count")
                .war(folder.resolve("webapps/shop.war"));
    }

    @Test
    void redeployments_underLoad_loseAndLeaveNothing() throws Exception {
        Path war = build(0);
        Margay.Builder builder =
                Margay.builder()
                        .work(folder.resolve("work"))
                        .webapps(war.getParent())
                        .drain(Duration.ofSeconds(20));
        for (TransportChoice transport :
                List.of(TransportChoice.NIO, TransportChoice.NATIVE, TransportChoice.BLOCKING)) {
            builder.http("127.0.0.1:0", transport);
        }
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong requests = new AtomicLong();
        List<Look> looks = new ArrayList<>();
        try (MargayServer server = builder.start()) {
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int port : server.ports()) {
                clients.add(
                        CompletableFuture.runAsync(() -> count(new Http(port), stop, requests)));
                clients.add(CompletableFuture.runAsync(() -> read(new Http(port), stop, requests)));
            }
            Http http = new Http(server.ports().getFirst());
            for (int i = 1; i <= REDEPLOYS; i++) {
                build(i);
                assertEquals(List.of(), server.change(Set.of(APP)));
                assertEquals("build " + i, http.get("/shop/v.txt"));
                assertEquals(String.valueOf(i), http.get("/shop/page.jsp"));
                if (i % Math.max(1, REDEPLOYS / LOOKS) == 0) {
                    Eventually.holds(
                            "the old ones are collected",
                            Duration.ofSeconds(30),
                            () -> server.findLeaks().isEmpty());
                    looks.add(Look.after(i));
                    System.out.println(looks.getLast().line());
                }
                for (CompletableFuture<Void> client : clients) {
                    assertTrue(!client.isDone(), "a client has failed");
                }
            }
            stop.set(true);
            clients.forEach(CompletableFuture::join);
        }
        System.out.println(requests.get() + " requests, none failed");
        Look first = looks.getFirst();
        Look last = looks.getLast();
        assertTrue(
                last.metaspaceBytes - first.metaspaceBytes < METASPACE_SLACK_BYTES,
                "metaspace grows");
        assertTrue(last.threads - first.threads <= THREADS_SLACK, "threads grow");
    }

    /// A session whose count must go on by one with each request.
    private static void count(Http http, AtomicBoolean stop, AtomicLong requests) {
        try {
            HttpResponse<String> first = http.response("/shop/count");
            String cookie = first.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
            for (int count = 2; !stop.get(); count++) {
                HttpResponse<String> response = http.withCookie("/shop/count", cookie);
                assertEquals(200, response.statusCode());
                assertEquals("count " + count, response.body());
                requests.incrementAndGet();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void read(Http http, AtomicBoolean stop, AtomicLong requests) {
        try {
            while (!stop.get()) {
                HttpResponse<String> response = http.response("/shop/v.txt");
                assertEquals(200, response.statusCode());
                assertTrue(response.body().startsWith("build "), response.body());
                requests.incrementAndGet();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
