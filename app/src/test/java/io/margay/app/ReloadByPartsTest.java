package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.HostSettings;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.config.file.hosts.KnownHosts;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A reload makes anew only what has changed, and serves what a fresh start would.
final class ReloadByPartsTest {
    private static final List<String> BODIES =
            List.of(
                    "routes: { /: { files: %s } }",
                    "routes: { /: { files: %s, dot-files: true } }",
                    "routes:\n      /: { files: %s, index: [a.txt] }\n      /x: { files: one }",
                    "routes: { /: { files: %s } }\n    https-redirect: 443",
                    "routes: { /: { files: %s } }\n"
                            + "    response-headers: [{ set: X-A, value: \"%s\" }]",
                    "routes: { /: { files: %s } }\n    rules: [{ prefix: /a, refuse: 410 }]",
                    "routes: { /: { files: %s } }\n    compression: {}",
                    "routes: { /: { files: %s, access: { require: [{ from: [127.0.0.2] }] } } }",
                    "routes: { /: { files: %s } }\n"
                            + "    access: { require: [{ from: [127.0.0.1] }] }",
                    "routes: { /: { files: %s } }\n    request-sizes: [{ content-max: 10KiB }]",
                    "routes: { /: { files: %s } }\n    encoded-slashes: not-found",
                    "routes: { /: { gateway: up } }",
                    "routes: { /: { gateway: up, host-header: peer } }",
                    "routes: { /: { files: %s } } # %s",
                    "routes: { \"/\": { files: '%s' } }",
                    "routes: { /: { files: \"${HERE:-two}\" } }");

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir Path folder;

    private final List<String> hosts = new ArrayList<>();
    private String frame = "drain: 5s\n";
    private int made;

    @BeforeEach
    void folders() throws IOException {
        for (String name : List.of("one", "two", "three")) {
            Path made = Files.createDirectories(folder.resolve(name));
            Files.writeString(made.resolve("a.txt"), name);
            Files.writeString(made.resolve(".b.txt"), "dot " + name);
            Files.writeString(made.resolve("index.html"), "index of " + name);
        }
        Files.createSymbolicLink(folder.resolve("link"), Path.of("one"));
    }

    private String host(SplittableRandom random) {
        String where = List.of("one", "two", "three", "link").get(random.nextInt(4));
        String body = BODIES.get(random.nextInt(BODIES.size())).replace("%s", where);
        String aliases = random.nextInt(4) == 0 ? "    aliases: [also" + made + ".example]\n" : "";
        return "  - name: h" + made++ + ".example\n" + aliases + "    " + body + "\n";
    }

    /// One of the changes that files see.
    private void change(SplittableRandom random) throws IOException {
        int at = random.nextInt(hosts.size());
        switch (random.nextInt(9)) {
            case 0 -> hosts.add(at, host(random));
            case 1 -> hosts.set(at, host(random));
            case 2 -> {
                if (hosts.size() > 3) {
                    hosts.remove(at);
                }
            }
            case 3 -> hosts.add(hosts.remove(at));
            case 4 -> hosts.set(at, "\n  # moved down\n" + hosts.get(at));
            case 5 -> {
                Path link = folder.resolve("link");
                Path to = Files.readSymbolicLink(link);
                Files.delete(link);
                Files.createSymbolicLink(
                        link, Path.of(to.toString().equals("one") ? "two" : "one"));
            }
            case 6 -> frame = "drain: " + (1 + random.nextInt(9)) + "s\n";
            case 7 -> frame += "# nothing\n";
            default -> {
                String name = "h" + made++ + ".example";
                hosts.set(at, hosts.get(at).replaceFirst("h[0-9]+\\.example", name));
            }
        }
    }

    private Path write(int upstream) throws IOException {
        String text =
                "listeners: [{ http: 127.0.0.1:0 }]\n"
                        + frame
                        + "hosts:\n"
                        + String.join("", hosts)
                        + "upstreams: { up: { members: [{ url: http://127.0.0.1:"
                        + upstream
                        + " }] } }\n";
        return Files.writeString(folder.resolve("margay.yaml"), text);
    }

    private List<String> answers(MargayServer server) throws IOException {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < made; i++) {
            for (String host : List.of("h" + i + ".example", "also" + i + ".example")) {
                for (String path : List.of("/", "/a.txt", "/.b.txt", "/x/a.txt", "/a%2Fb")) {
                    answers.add(host + path + ": " + answer(server.ports().getFirst(), host, path));
                }
            }
        }
        return answers;
    }

    private static String answer(int port, String host, String path) throws IOException {
        try (RawHttpClient client = RawHttpClient.connect(new InetSocketAddress(LOOPBACK, port))) {
            client.send(
                    ("GET %s HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: gzip\r\n"
                                    + "Connection: close\r\n\r\n")
                            .formatted(path, host));
            return client.readToEnd().replaceAll("(?m)^Date: .*$", "Date");
        }
    }

    /// Over random changes: the same configuration, and the same answers.
    @Test
    void reload_afterRandomChanges_servesWhatAFreshStartServes() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 6; i++) {
            hosts.add(host(random));
        }
        KnownHosts known = new KnownHosts();
        Path members = Files.createDirectories(folder.resolve("member"));
        Files.writeString(members.resolve("index.html"), "member");
        Path of =
                Files.writeString(
                        folder.resolve("member.yaml"),
                        "listeners: [{ http: 127.0.0.1:0 }]\nwork: member-work\n"
                                + "hosts: [{ routes: { /: { files: member } } }]\n");
        try (MargayServer member =
                        MargayServer.start(
                                ConfigFile.read(of, Map.of()).get(), DeployProgress.NONE);
                MargayServer server = start(write(member.ports().getFirst()), known, "work")) {
            int upstream = member.ports().getFirst();
            for (int step = 0; step < 20; step++) {
                for (int i = 0; i <= random.nextInt(3); i++) {
                    change(random);
                }
                Path file = write(upstream);
                ConfigFile.Result parts = ConfigFile.read(file, Map.of(), known);
                ConfigFile.Result whole = ConfigFile.read(file, Map.of());
                String where = "seed " + seed + ", step " + step + ":\n" + Files.readString(file);
                assertEquals(whole, parts, where);
                server.reload(parts.get().withWork(folder.resolve("work")));
                try (MargayServer fresh = start(file, new KnownHosts(), "fresh" + step)) {
                    assertEquals(answers(fresh), answers(server), where);
                }
            }
        }
    }

    private MargayServer start(Path file, KnownHosts known, String work) {
        return MargayServer.start(
                ConfigFile.read(file, Map.of(), known).get().withWork(folder.resolve(work)),
                DeployProgress.NONE);
    }

    @Test
    void read_afterAChangeOfOneHost_keepsTheOthersAsObjects() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 200; i++) {
            hosts.add(host(random));
        }
        KnownHosts known = new KnownHosts();
        List<HostSettings> before = ConfigFile.read(write(1), Map.of(), known).get().hosts();
        hosts.set(5, "  - name: other.example\n    routes: { /: { files: one } }\n");
        List<HostSettings> after = ConfigFile.read(write(1), Map.of(), known).get().hosts();
        for (int i = 0; i < before.size(); i++) {
            if (i == 5) {
                assertNotSame(before.get(i), after.get(i));
            } else {
                assertSame(before.get(i), after.get(i), hosts.get(i));
            }
        }
    }

    @Test
    void read_whenSomethingIsWrong_saysWhereAsOfTheWholeFile() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20; i++) {
            hosts.add(host(random));
        }
        KnownHosts known = new KnownHosts();
        assertTrue(ConfigFile.read(write(1), Map.of(), known).problems().isEmpty());
        for (String wrong :
                List.of(
                        "  - name: h3.example\n    routes: { /: { files: one } }\n",
                        "  - name: a.example\n    routes: { /: { files: none } }\n",
                        "  - name: a.example\n    routs: {}\n",
                        "  - name: \"a.example\n    routes: {}\n",
                        "  - name: a.example\n")) {
            hosts.add(10, "# further down\n" + wrong);
            Path file = write(1);
            for (int i = 0; i < 2; i++) {
                ConfigFile.Result parts = ConfigFile.read(file, Map.of(), known);
                assertEquals(ConfigFile.read(file, Map.of()), parts);
                assertTrue(!parts.problems().isEmpty() || !parts.missing().isEmpty(), wrong);
            }
            hosts.remove(10);
        }
    }
}
