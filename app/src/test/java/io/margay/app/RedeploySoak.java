package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.TransportChoice;
import io.margay.app.deploy.AppName;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.sample.CountServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.Meanwhile;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Redeploys an application again and again while requests come on every transport: no request may
/// fail, no session may lose a count, no class loader of a former life may stay, and metaspace and
/// threads must stay flat. Not part of the tests of a build: `make redeploy-soak`.
///
/// What metaspace gains after the first redeployments belongs to the loaders of the JDK and of the
/// server, whose classes do not become more: profiles of methods that have become hot.
final class RedeploySoak {
    private static final int REDEPLOYS = Integer.getInteger("margay.soak.redeploys", 200);
    private static final int LOOKS = 10;

    /// What may come and go: a compiler's cache, a thread of the JDK.
    private static final long METASPACE_SLACK_BYTES = 6L << 20;

    private static final int THREADS_SLACK = 4;
    private static final String HEAD = "GET /shop/count HTTP/1.1\r\nHost: localhost\r\nCookie: ";
    private static final AppName APP = new AppName(List.of(), "/shop", "");

    @TempDir Path folder;

    /// The application's own loader, and that of its page.
    private static final int LOADERS = 2;

    /// @param classes loaded now
    /// @param loaders of applications
    /// @param loadersBytes of metaspace that these have
    private record Look(
            int redeploys,
            long metaspaceBytes,
            int threads,
            int classes,
            int loaders,
            long loadersBytes) {
        static Look after(int redeploys) throws Exception {
            List<String[]> own = loadersOfApplications();
            long metaspace =
                    ManagementFactory.getMemoryPoolMXBeans().stream()
                            .filter(pool -> pool.getName().equals("Metaspace"))
                            .mapToLong((MemoryPoolMXBean pool) -> pool.getUsage().getUsed())
                            .sum();
            return new Look(
                    redeploys,
                    metaspace,
                    serverThreads(),
                    ManagementFactory.getClassLoadingMXBean().getLoadedClassCount(),
                    own.size(),
                    own.stream().mapToLong(columns -> Long.parseLong(columns[4])).sum());
        }

        /// Lines of `jcmd VM.classloader_stats`: loader, parent, data, classes, bytes of chunks,
        /// bytes of blocks, type.
        private static List<String[]> loadersOfApplications() throws Exception {
            Object lines =
                    ManagementFactory.getPlatformMBeanServer()
                            .invoke(
                                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                    "vmClassloaderStats",
                                    new Object[0],
                                    new String[0]);
            return String.valueOf(lines)
                    .lines()
                    .map(line -> line.split(" +"))
                    .filter(columns -> columns.length == 7)
                    .filter(columns -> columns[6].matches(".*(WebAppClassLoader|JasperLoader)"))
                    .toList();
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
                    "%4d redeployments: metaspace %6.2f MiB, %3d threads, %6d classes;"
                            + " %d class loaders of applications with %d bytes",
                    redeploys,
                    metaspaceBytes / 1048576.0,
                    threads,
                    classes,
                    loaders,
                    loadersBytes);
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
                clients.add(Meanwhile.run(() -> count(port, stop, requests)));
                clients.add(Meanwhile.run(() -> read(port, stop, requests)));
            }
            Http http = new Http(server.ports().getFirst());
            for (int i = 1; i <= REDEPLOYS; i++) {
                build(i);
                assertEquals(List.of(), server.change(Set.of(APP), ChangeCause.PROGRAM));
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
                // Those that have ended have failed, and say why.
                clients.stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
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
        for (Look look : looks) {
            assertEquals(LOADERS, look.loaders, look.line());
        }
    }

    /// A session whose count must go on by one with each request.
    private static void count(int port, AtomicBoolean stop, AtomicLong requests)
            throws IOException {
        String cookie = "";
        int count = 0;
        while (!stop.get()) {
            try (RawHttpClient http = connect(port)) {
                boolean open = true;
                while (open && !stop.get()) {
                    RawHttpClient.Response response =
                            http.send(HEAD + cookie + "\r\n\r\n").response();
                    count++;
                    assertEquals(200, response.status());
                    assertEquals("count " + count, response.text());
                    cookie = count == 1 ? response.field("Set-Cookie").split(";")[0] : cookie;
                    open = !response.closes();
                    requests.incrementAndGet();
                }
            }
        }
    }

    private static void read(int port, AtomicBoolean stop, AtomicLong requests) throws IOException {
        while (!stop.get()) {
            try (RawHttpClient http = connect(port)) {
                boolean open = true;
                while (open && !stop.get()) {
                    RawHttpClient.Response response = http.get("/shop/v.txt");
                    assertEquals(200, response.status());
                    assertTrue(response.text().startsWith("build "), response.text());
                    open = !response.closes();
                    requests.incrementAndGet();
                }
            }
        }
    }

    private static RawHttpClient connect(int port) throws IOException {
        return RawHttpClient.connect(new InetSocketAddress("127.0.0.1", port));
    }
}
