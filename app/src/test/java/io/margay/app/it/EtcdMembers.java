package io.margay.app.it;

import io.margay.testkit.FreePort;
import io.margay.testkit.fault.FaultyLink;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// etcd of the system: a key for each container.
final class EtcdMembers extends ClusterMembers {
    private static final String PREFIX = "/shop/";

    private final int port = FreePort.next();
    private final FaultyLink link = new FaultyLink(port);
    private final int peers = FreePort.next();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Set<String> told = new HashSet<>();

    EtcdMembers(Path parent) throws IOException {
        super(parent);
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    String source() {
        return "{etcd: {servers: [\"%s\"], prefix: %s}}"
                .formatted("http://127.0.0.1:" + link.port(), PREFIX);
    }

    @Override
    FaultyLink link() {
        return link;
    }

    @Override
    void start() throws IOException {
        String between = "http://127.0.0.1:" + peers;
        run(
                port,
                Program.of("etcd"),
                "--logger=zap",
                "--log-outputs=" + folder.resolve("etcd.log"),
                "--data-dir=" + folder.resolve("etcd"),
                "--listen-client-urls=" + url(),
                "--advertise-client-urls=" + url(),
                "--listen-peer-urls=" + between,
                "--initial-advertise-peer-urls=" + between,
                "--initial-cluster=default=" + between);
    }

    @Override
    void tell(Map<String, Integer> all) throws IOException {
        for (Map.Entry<String, Integer> one : all.entrySet()) {
            String line = "http://127.0.0.1:%d route=%s".formatted(one.getValue(), one.getKey());
            write(PREFIX + one.getKey(), line);
        }
        for (String name : told) {
            if (!all.containsKey(name)) {
                delete(PREFIX + name);
            }
        }
        told.clear();
        told.addAll(all.keySet());
    }

    void write(String key, String value) throws IOException {
        ask("put", "{\"key\": \"%s\", \"value\": \"%s\"}".formatted(base64(key), base64(value)));
    }

    void delete(String key) throws IOException {
        ask("deleterange", "{\"key\": \"%s\"}".formatted(base64(key)));
    }

    private void ask(String what, String json) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url() + "/v3/kv/" + what))
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build();
        try {
            HttpResponse<String> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(answer.body());
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        super.close();
        client.close();
    }
}
