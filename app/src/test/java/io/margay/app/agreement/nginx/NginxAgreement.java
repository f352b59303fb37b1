package io.margay.app.agreement.nginx;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.migrate.FrontEndFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// Servers made by chance, in nginx and in Margay. Where Margay answers otherwise and `check` says
/// nothing of it, it must refuse. Confined to one thread.
final class NginxAgreement implements AutoCloseable {
    private static final int BATCH = 20;
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final String USER =
            Base64.getEncoder().encodeToString("ada:sesame".getBytes(StandardCharsets.UTF_8));

    /// Fields of an answer that are compared.
    private static final Set<String> FIELDS =
            Set.of("location", "x-server", "x-place", "cache-control", "www-authenticate");

    private final Path folder;
    private final EchoMember member;
    private final List<String> disagreements = new ArrayList<>();
    private int compared;
    private int refused;
    private int requests;
    private int stricter;

    NginxAgreement() throws IOException {
        folder = Files.createTempDirectory("margay-nginx");
        member = new EchoMember();
        for (String name :
                List.of(
                        "www/index.html",
                        "www/a.txt",
                        "www/sub/f.txt",
                        "www/sub/index.html",
                        "www/err.html",
                        "www/x.png",
                        "www/page.html.bak",
                        "www/b.html.txt",
                        "www/style.css",
                        "www/plain",
                        "www/a/b/c.txt",
                        "www/s/a.txt",
                        "other/index.html",
                        "other/x.png",
                        "other/a.txt",
                        "other/c.txt")) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "file " + name + "\n");
        }
        Files.writeString(
                folder.resolve("users"),
                "ada:{PLAIN}sesame\n"
                        .replace("{PLAIN}sesame", "{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ="));
    }

    /// Compares servers of some seeds.
    void run(long first, int count) throws IOException {
        for (long at = first; at < first + count; at += BATCH) {
            List<Long> seeds = new ArrayList<>();
            for (long seed = at; seed < Math.min(at + BATCH, first + count); seed++) {
                seeds.add(seed);
            }
            batch(seeds);
        }
    }

    List<String> disagreements() {
        return disagreements;
    }

    int compared() {
        return compared;
    }

    int refused() {
        return refused;
    }

    /// What was found.
    String report() {
        return "%d servers compared, %d refused by check, %d requests, %d more strictly, %d"
                        .formatted(compared, refused, requests, stricter, disagreements.size())
                + " disagreements\n"
                + String.join("\n", disagreements);
    }

    private void batch(List<Long> seeds) throws IOException {
        int theirs = FreePort.next();
        int ours = FreePort.next();
        Map<Long, String> servers = new LinkedHashMap<>();
        Map<Long, Boolean> named = new LinkedHashMap<>();
        for (long seed : seeds) {
            String text = new NginxCases(seed).server();
            GatewayPlan plan = plan(whole(text, ours));
            if (plan.isWrong()) {
                refused++;
            } else {
                servers.put(seed, text);
                named.put(seed, !plan.failures().isEmpty());
            }
        }
        String all = String.join("", servers.values());
        GatewayPlan plan = plan(whole(all, ours));
        Path conf = Files.writeString(folder.resolve("nginx.conf"), whole(all, theirs));
        try (NginxProcess _ = NginxProcess.start(conf, theirs, TIMEOUT_MILLIS);
                MargayServer _ = PlanServer.start(plan, folder.resolve("work"))) {
            for (long seed : servers.keySet()) {
                compared++;
                // Parameters of a path are no part of $uri here, so that limits by it are stricter,
                // and what they refuse differs for the requests after that.
                boolean byPath = servers.get(seed).contains("zone=paths");
                for (NginxCases.Probe probe : new NginxCases(seed).probes()) {
                    if (byPath && probe.path().contains(";")) {
                        continue;
                    }
                    compare(seed, probe, theirs, ours, named.getOrDefault(seed, false));
                }
            }
        }
    }

    private String whole(String servers, int port) {
        String http =
                """
                  types { text/html html; text/plain txt; image/png png; }
                  upstream back { server @MEMBER@; }
                  limit_req_zone $server_name$uri zone=paths:4m rate=1r/m;
                  limit_req_zone $server_name$request_method zone=methods:4m rate=1r/m;
                  geo $arg_arg $number { default none; 0.0.0.0/1 low; 10.0.0.0/8 ten; }
                  split_clients $uri $half { 50% one; * two; }
                """
                        .concat(servers);
        return NginxProcess.configuration(folder, http)
                .replace("@FOLDER@", folder.toString())
                .replace("@MEMBER@", "127.0.0.1:" + member.port())
                .replace("@PORT@", Integer.toString(port));
    }

    private GatewayPlan plan(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("margay.conf"), text);
        return FrontEndFiles.read(List.of(file), Map.of());
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// What was answered, as far as it is compared.
    private record Answer(int status, Map<String, String> fields, String content) {
        boolean isRefusal() {
            return status >= 400 && status < 500;
        }
    }

    private void compare(long seed, NginxCases.Probe probe, int theirs, int ours, boolean named)
            throws IOException {
        requests++;
        Answer nginx = ask(seed, probe, theirs);
        Answer margay = ask(seed, probe, ours);
        if (nginx.equals(margay) || (isRespelt(probe) && nginx.status == margay.status)) {
            return;
        }
        if (margay.isRefusal() && !nginx.isRefusal()) {
            stricter++;
            return;
        }
        boolean laxer = nginx.isRefusal() && !margay.isRefusal();
        boolean both = nginx.isRefusal() && margay.isRefusal();
        if (laxer || (!named && !both)) {
            disagreements.add(
                    "seed %d %s\n  nginx  %s\n  margay %s".formatted(seed, probe, nginx, margay));
        }
    }

    /// Margay resolves dots before it passes a path on, and does not take parameters for a part of
    /// a name: what members and texts are told of such a path is spelt otherwise.
    private static boolean isRespelt(NginxCases.Probe probe) {
        return probe.path().matches(".*(?:/\\.\\.?/|;).*");
    }

    private static Answer ask(long seed, NginxCases.Probe probe, int port) throws IOException {
        String login = probe.user() ? "Authorization: Basic " + USER + "\r\n" : "";
        String request =
                probe.method()
                        + " "
                        + probe.path()
                        + " HTTP/1.1\r\nHost: c"
                        + seed
                        + ".example:"
                        + port
                        + "\r\nX-Forwarded-For: 192.0.2.9\r\n"
                        + login
                        + "Content-Length: 0\r\nConnection: close\r\n\r\n";
        try (RawHttpClient client = RawHttpClient.connect(address(port))) {
            client.timeout(TIMEOUT_MILLIS).send(request);
            RawHttpClient.Response response = client.response(probe.method().equals("HEAD"));
            Map<String, String> fields = new TreeMap<>();
            Function<String, String> plain = text -> text.replace(":" + port, ":PORT");
            for (String name : FIELDS) {
                String value = response.field(name);
                if (value != null) {
                    fields.put(name, plain.apply(value));
                }
            }
            String text = plain.apply(new String(response.body(), StandardCharsets.ISO_8859_1));
            String type = response.field("content-type");
            if (response.status() == 200 && !text.startsWith("member") && type != null) {
                fields.put("content-type", type);
            }
            boolean own =
                    response.status() >= 300
                            && !text.startsWith("member")
                            && !text.startsWith("file");
            return new Answer(response.status(), fields, own ? "" : text);
        }
    }

    @Override
    public void close() throws IOException {
        member.close();
        Folders.delete(folder);
    }
}
