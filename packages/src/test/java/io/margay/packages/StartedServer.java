package io.margay.packages;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A server that a package has brought, until it is closed; what it prints is kept.
final class StartedServer implements AutoCloseable {
    private static final Pattern URL = Pattern.compile("margay: http://[^ /]+:([0-9]+)/");
    private static final Pattern READY = Pattern.compile("margay: ready in ([0-9]+ ms)");

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    StartedServer(Path folder, List<String> words) throws IOException {
        process =
                new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        try (BufferedReader in = process.inputReader()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
                Matcher url = URL.matcher(line);
                if (url.find()) {
                    port.complete(Integer.valueOf(url.group(1)));
                }
                Matcher took = READY.matcher(line);
                if (took.find()) {
                    ready.complete(took.group(1));
                }
            }
            ready.completeExceptionally(new IOException(toString()));
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
    }

    /// The status of a path, once the server answers.
    int get(String path) throws Exception {
        String _ = startTime();
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + port.join() + path);
            return client.send(
                            HttpRequest.newBuilder(uri).build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    /// How long the start took, as the server says.
    String startTime() throws Exception {
        return ready.get(300, TimeUnit.SECONDS);
    }

    /// The Java process: this, or what it has started.
    ProcessHandle java() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .filter(p -> p.info().command().orElse("").endsWith("/bin/java"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(toString()));
    }

    /// Ends the server as a service manager does; returns what its process returned.
    int stop() throws InterruptedException {
        java().destroy();
        return process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
