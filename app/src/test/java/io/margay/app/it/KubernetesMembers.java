package io.margay.app.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.margay.testkit.FreePort;
import io.margay.testkit.fault.FaultyLink;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What lists and watches EndpointSlices as the API of Kubernetes does, a slice for each container:
/// in this process, for the API's own server needs more than this machine has beside a cluster.
final class KubernetesMembers extends ClusterMembers {
    private static final Pattern VERSION = Pattern.compile("[?&]resourceVersion=([0-9]+)");
    private static final Pattern SECONDS = Pattern.compile("[?&]timeoutSeconds=([0-9]+)");

    private final int port = FreePort.next();
    private final FaultyLink link = new FaultyLink(port);
    private final Path token;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// By the names of containers; guarded by `lock`, as what follows.
    private final Map<String, String> slices = new TreeMap<>();

    /// What has changed since the beginning: each is the version after it.
    private final List<String> events = new ArrayList<>();

    private @Nullable HttpServer server;
    private @Nullable ExecutorService threads;

    KubernetesMembers(Path parent) throws IOException {
        super(parent);
        token = Files.writeString(folder.resolve("token"), "a token of pods");
    }

    @Override
    String source() {
        return ("{kubernetes: {service: shop, namespace: test, api: \"http://127.0.0.1:%d\","
                        + " token-file: \"%s\"}}")
                .formatted(link.port(), token);
    }

    @Override
    FaultyLink link() {
        return link;
    }

    @Override
    void start() throws IOException {
        HttpServer made =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        threads = Executors.newVirtualThreadPerTaskExecutor();
        made.setExecutor(threads);
        made.createContext(
                "/apis/discovery.k8s.io/v1/namespaces/test/endpointslices", this::answer);
        made.start();
        server = made;
    }

    @Override
    void kill() {
        HttpServer running = server;
        ExecutorService working = threads;
        if (running != null && working != null) {
            running.stop(0);
            working.shutdownNow();
        }
        server = null;
    }

    @Override
    void tell(Map<String, Integer> all) {
        lock.lock();
        try {
            all.forEach((name, of) -> {
                String slice = slice(name, of, events.size() + 1);
                boolean isNew = !slices.containsKey(name);
                if (isNew || !slices.get(name).contains("\"port\": " + of + ",")) {
                    slices.put(name, slice);
                    event(isNew ? "ADDED" : "MODIFIED", slice);
                }
            });
            for (String name : List.copyOf(slices.keySet())) {
                if (!all.containsKey(name)) {
                    slices.remove(name);
                    event("DELETED", slice(name, 1, events.size() + 1));
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void event(String type, String slice) {
        events.add("{\"type\": \"%s\", \"object\": %s}\n".formatted(type, slice));
    }

    private static String slice(String name, int port, int version) {
        return """
        {"metadata": {"name": "shop-%1$s", "resourceVersion": "%3$d"}, "addressType": "IPv4", \
        "ports": [{"name": "http", "port": %2$d, "protocol": "TCP"}], \
        "endpoints": [{"addresses": ["127.0.0.1"], "conditions": {"ready": true, "serving": true, \
        "terminating": false}, "targetRef": {"kind": "Pod", "name": "%1$s"}}]}\
        """
                .formatted(name, port, version);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().toString();
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        try (exchange) {
            if (query.contains("watch=true")) {
                exchange.sendResponseHeaders(200, 0);
                watch(exchange.getResponseBody(), number(VERSION, query), number(SECONDS, query));
            } else {
                byte[] list = list().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, list.length);
                exchange.getResponseBody().write(list);
            }
        }
    }

    private static int number(Pattern pattern, String query) {
        Matcher found = pattern.matcher(query);
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    private String list() {
        lock.lock();
        try {
            return ("{\"kind\": \"EndpointSliceList\", \"metadata\": {\"resourceVersion\": \"%d\"},"
                            + " \"items\": [%s]}")
                    .formatted(events.size(), String.join(", ", slices.values()));
        } finally {
            lock.unlock();
        }
    }

    /// Writes what has changed after a version, and what changes within so many seconds.
    private void watch(OutputStream out, int version, int seconds) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        int told = version;
        out.flush();
        while (System.nanoTime() - end < 0) {
            for (String line : after(told, end)) {
                out.write(line.getBytes(StandardCharsets.UTF_8));
                told++;
            }
            out.flush();
        }
    }

    /// What comes after a version; waits for it.
    private List<String> after(int version, long end) throws IOException {
        lock.lock();
        try {
            long left = end - System.nanoTime();
            while (events.size() <= version && left > 0) {
                left = changed.awaitNanos(left);
            }
            return List.copyOf(events.subList(version, events.size()));
        } catch (InterruptedException e) {
            throw new IOException("it is killed", e);
        } finally {
            lock.unlock();
        }
    }
}
