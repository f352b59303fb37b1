package io.margay.app.it;

import static io.margay.app.it.GrowthServers.cpuSeconds;
import static io.margay.app.it.GrowthServers.has;
import static io.margay.app.it.GrowthServers.mib;
import static io.margay.app.it.GrowthServers.report;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What handshakes cost with thousands of certificates, what thousands of members cost at the start
/// and while nothing but their health is asked, and what idle WebSockets take, beside nginx and
/// HAProxy where they are installed. `make scale`; prints rows of `docs/measurements/growth.md`
/// into `target/growth.md`.
final class GrowthSoak {
    private static final int CERTIFICATES = Integer.getInteger("margay.growth.certificates", 5_000);
    private static final int FEW = 50;
    private static final int MEMBERS = Integer.getInteger("margay.growth.members", 10_000);
    private static final int WEB_SOCKETS = Integer.getInteger("margay.growth.websockets", 20_000);
    private static final int HANDSHAKES = Integer.getInteger("margay.growth.handshakes", 2_000);
    private static final int ROUNDS = 3;

    /// Whose handshakes are measured.
    private static final List<String> SERVERS =
            List.of(
                    System.getProperty("margay.growth.servers", "openssl,nginx,haproxy,jsse")
                            .split(","));

    /// Certificates that are replaced in each round, one each second.
    private static final int SWAPS = Integer.getInteger("margay.growth.swaps", 20);

    /// Serial numbers of certificates that have been renewed are larger.
    private static final long RENEWED = 1_000_000_000;

    /// Through each gateway before the measurement, and within it.
    private static final int REQUESTS = 2_000;

    /// Of one upstream.
    private static final int MEMBERS_EACH = 1_000;

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    @TempDir Path folder;
    private final Random random = new Random(43);
    private final List<RawHttpClient> open = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (RawHttpClient one : open) {
            one.close();
        }
    }

    // Handshakes

    private static String name(int i) {
        return "c" + i + ".example";
    }

    /// Files `I.crt`, `I.key` and `pem/I.pem`.
    private void makeCertificates() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        Path pem = Files.createDirectories(folder.resolve("pem"));
        Instant now = Instant.now();
        for (int i = 0; i < CERTIFICATES; i++) {
            KeyPair key = generator.generateKeyPair();
            String cert = pem("CERTIFICATE", certificate(key, i, i + 1L, now));
            String own = pem("PRIVATE KEY", key.getPrivate().getEncoded());
            Files.writeString(folder.resolve(i + ".crt"), cert);
            Files.writeString(folder.resolve(i + ".key"), own);
            Files.writeString(pem.resolve(i + ".pem"), cert + own);
        }
    }

    private static byte[] certificate(KeyPair key, int i, long serial, Instant now)
            throws Exception {
        X500Principal subject = new X500Principal("CN=" + name(i));
        var builder =
                new JcaX509v3CertificateBuilder(
                        subject,
                        BigInteger.valueOf(serial),
                        Date.from(now.minusSeconds(3600)),
                        Date.from(now.plusSeconds(86_400)),
                        subject,
                        key.getPublic());
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, name(i))));
        return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key.getPrivate()))
                .getEncoded();
    }

    private static String pem(String what, byte[] der) {
        String text =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(der);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }

    /// Trusts everybody, for it is the server that is measured.
    private static SSLContext client() throws Exception {
        TrustManager trusting =
                new X509ExtendedTrustManager() {
                    @Override
                    public void checkClientTrusted(X509Certificate[] chain, String type) {}

                    @Override
                    public void checkServerTrusted(X509Certificate[] chain, String type) {}

                    @Override
                    public void checkClientTrusted(
                            X509Certificate[] chain, String type, Socket socket) {}

                    @Override
                    public void checkServerTrusted(
                            X509Certificate[] chain, String type, Socket socket) {}

                    @Override
                    public void checkClientTrusted(
                            X509Certificate[] chain, String type, SSLEngine engine) {}

                    @Override
                    public void checkServerTrusted(
                            X509Certificate[] chain, String type, SSLEngine engine) {}

                    @Override
                    public X509Certificate[] getAcceptedIssuers() {
                        return new X509Certificate[0];
                    }
                };
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {trusting}, null);
        return context;
    }

    /// A full handshake for a name; the server must have its certificate.
    ///
    /// @return its serial number
    private static long handshake(SSLContext client, int port, int which) throws IOException {
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
                SSLSocket socket =
                        (SSLSocket)
                                client.getSocketFactory()
                                        .createSocket(plain, name(which), port, true)) {
            socket.startHandshake();
            X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            if (!shown.getSubjectX500Principal().getName().equals("CN=" + name(which))) {
                throw new IOException(name(which) + " shows " + shown.getSubjectX500Principal());
            }
            socket.getSession().invalidate();
            return shown.getSerialNumber().longValueExact();
        }
    }

    /// How long handshakes take while the files of one certificate after the other are replaced.
    @Test
    void swaps() throws Exception {
        makeCertificates();
        report("| server | while | median | 99 % | longest | above 50 ms |");
        report("|---|---|---|---|---|---|");
        for (String tls : List.of("openssl", "jsse")) {
            int port = FreePort.next();
            SSLContext client = client();
            try (ServerProcess _ = margay(tls, CERTIFICATES, port)) {
                warm(client, port, CERTIFICATES);
                List<Double> quiet = new ArrayList<>();
                List<Double> swapping = new ArrayList<>();
                for (int round = 0; round < ROUNDS; round++) { // in turn
                    quiet.addAll(times(client, port, 0, 0));
                    swapping.addAll(times(client, port, round * SWAPS, SWAPS));
                }
                row(tls, "nothing is replaced", quiet);
                row(tls, "a certificate is replaced each second", swapping);
            }
        }
        report("");
    }

    /// Milliseconds of each handshake within so many seconds.
    ///
    /// @param first certificate that is replaced
    /// @param count how many are, one each second
    private List<Double> times(SSLContext client, int port, int first, int count) throws Exception {
        List<Double> millis = new ArrayList<>();
        long second = Duration.ofSeconds(1).toNanos();
        long begun = System.nanoTime();
        int done = 0;
        while (System.nanoTime() - begun < SWAPS * second) {
            if (done < count && System.nanoTime() - begun > done * second) {
                swap(first + done);
                done++;
            }
            long before = System.nanoTime();
            long _ = handshake(client, port, random.nextInt(CERTIFICATES));
            millis.add((System.nanoTime() - before) / 1e6);
        }
        for (int i = first; i < first + done; i++) {
            int which = i;
            Eventually.holds(
                    "certificate " + i + " is the new one",
                    PATIENCE,
                    () -> serial(client, port, which) == RENEWED + which);
        }
        return millis;
    }

    private static void row(String tls, String what, List<Double> millis) throws IOException {
        double[] sorted = millis.stream().mapToDouble(each -> each).sorted().toArray();
        report(
                "| Margay, %s | %s | %.1f ms | %.1f ms | %.1f ms | %d of %d |"
                        .formatted(
                                tls.equals("jsse") ? "JSSE" : "OpenSSL",
                                what,
                                sorted[sorted.length / 2],
                                sorted[sorted.length * 99 / 100],
                                sorted[sorted.length - 1],
                                Arrays.stream(sorted).filter(each -> each > 50).count(),
                                sorted.length));
    }

    private static long serial(SSLContext client, int port, int which) {
        try {
            return handshake(client, port, which);
        } catch (IOException e) {
            return -1;
        }
    }

    /// Replaces the files of a certificate, each at once.
    private void swap(int i) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair key = generator.generateKeyPair();
        replace(i + ".key", pem("PRIVATE KEY", key.getPrivate().getEncoded()));
        replace(i + ".crt", pem("CERTIFICATE", certificate(key, i, RENEWED + i, Instant.now())));
    }

    private void replace(String file, String text) throws IOException {
        Path fresh = Files.writeString(folder.resolve(file + ".new"), text);
        Files.move(fresh, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }

    /// Starts a server with so many certificates.
    @FunctionalInterface
    private interface Starting {
        ServerProcess with(int certificates, int port) throws IOException;
    }

    private ServerProcess margay(String tls, int certificates, int port) throws IOException {
        String list =
                IntStream.range(0, certificates)
                        .mapToObj("      - {cert: %1$d.crt, key: %1$d.key}\n"::formatted)
                        .collect(Collectors.joining());
        Files.writeString(
                folder.resolve(port + ".yaml"),
                "work: work"
                        + port
                        + "\nhosts: [{routes: {/: {files: pem}}}]\n"
                        + "listeners:\n  - https: 127.0.0.1:"
                        + port
                        + "\n    tls: "
                        + tls
                        + "\n    certificates:\n"
                        + list);
        return ServerProcess.margay(folder, "run", port + ".yaml");
    }

    private ServerProcess nginx(int certificates, int port) throws IOException {
        String servers =
                IntStream.range(0, certificates)
                        .mapToObj(i ->
                                ("server { listen 127.0.0.1:%1$d ssl; server_name %2$s;"
                                                + " ssl_certificate %3$s/%4$d.crt;"
                                                + " ssl_certificate_key %3$s/%4$d.key;"
                                                + " ssl_protocols TLSv1.3; }\n")
                                        .formatted(port, name(i), folder, i))
                        .collect(Collectors.joining());
        return new GrowthServers(folder)
                .nginx(
                        "server_names_hash_max_size 1048576; server_names_hash_bucket_size 128;\n"
                                + servers);
    }

    private ServerProcess haproxy(int certificates, int port) throws IOException {
        Path some = Files.createDirectories(folder.resolve("some" + certificates));
        for (int i = 0; i < certificates; i++) {
            Path link = some.resolve(i + ".pem");
            if (!Files.exists(link)) {
                Files.createSymbolicLink(link, folder.resolve("pem/" + i + ".pem"));
            }
        }
        return new GrowthServers(folder)
                .haproxy(
                        "frontend f\n    bind 127.0.0.1:"
                                + port
                                + " ssl crt "
                                + some
                                + "\n    http-request return status 200\n");
    }

    /// The same certificates over and over, each of which has been opened before.
    @Test
    void handshakes() throws Exception {
        makeCertificates();
        report("| server | " + FEW + " certificates | " + CERTIFICATES + " | ratio |");
        report("|---|---|---|---|");
        if (SERVERS.contains("openssl")) {
            handshakes("Margay, OpenSSL", (count, port) -> margay("openssl", count, port));
        }
        if (SERVERS.contains("nginx") && has("nginx")) {
            handshakes("nginx", this::nginx);
        }
        if (SERVERS.contains("haproxy") && has("haproxy")) {
            handshakes("HAProxy", this::haproxy);
        }
        if (SERVERS.contains("jsse")) {
            handshakes("Margay, JSSE", (count, port) -> margay("jsse", count, port));
        }
        report("");
    }

    /// What a start with as many certificates costs.
    @Test
    void starts() throws Exception {
        makeCertificates();
        report("| server | start with " + CERTIFICATES + " certificates |");
        report("|---|---|");
        for (int round = 0; round < ROUNDS; round++) { // in turn
            start("Margay", (count, port) -> margay("openssl", count, port));
            if (has("nginx")) {
                start("nginx", this::nginx);
            }
            if (has("haproxy")) {
                start("HAProxy", this::haproxy);
            }
        }
        report("");
    }

    private void start(String server, Starting starting) throws Exception {
        int port = FreePort.next();
        SSLContext client = client();
        try (ServerProcess process = starting.with(CERTIFICATES, port)) {
            int last = CERTIFICATES - 1;
            Eventually.holds("it serves", PATIENCE, () -> serial(client, port, last) == last + 1);
            report("| %s | %s |".formatted(server, GrowthServers.cost(process)));
        }
    }

    private void handshakes(String server, Starting starting) throws Exception {
        double[] few = new double[ROUNDS];
        double[] many = new double[ROUNDS];
        int fewPort = FreePort.next();
        int manyPort = FreePort.next();
        SSLContext client = client();
        try (ServerProcess one = starting.with(FEW, fewPort)) {
            warm(client, fewPort, FEW);
            try (ServerProcess other = starting.with(CERTIFICATES, manyPort)) {
                warm(client, manyPort, CERTIFICATES);
                for (int round = 0; round < ROUNDS; round++) { // in turn
                    few[round] = cost(client, one, fewPort, FEW);
                    many[round] = cost(client, other, manyPort, CERTIFICATES);
                }
            }
        }
        double ratio = Arrays.stream(many).sum() / Arrays.stream(few).sum();
        report("| %s | %s | %s | %.2f |".formatted(server, range(few), range(many), ratio));
    }

    private static String range(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return "%.2f to %.2f CPU-ms".formatted(sorted[0], sorted[sorted.length - 1]);
    }

    /// As many handshakes with each server, and one at least for each certificate.
    private void warm(SSLContext client, int port, int certificates) throws IOException {
        Eventually.holds("it serves", PATIENCE, () -> serves(client, port));
        for (int i = 0; i < Math.max(CERTIFICATES, HANDSHAKES); i++) {
            long _ = handshake(client, port, i % certificates);
        }
    }

    private static boolean serves(SSLContext client, int port) {
        try {
            long _ = handshake(client, port, 0);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// CPU milliseconds of the server for each handshake.
    private double cost(SSLContext client, ServerProcess server, int port, int certificates)
            throws IOException {
        double before = cpuSeconds(server);
        for (int i = 0; i < HANDSHAKES; i++) {
            long _ = handshake(client, port, random.nextInt(certificates));
        }
        return (cpuSeconds(server) - before) * 1e3 / HANDSHAKES;
    }

    // Members

    /// Addresses of the loopback network, at all of which one server answers.
    private static String member(int i) {
        return "127.1." + i / 250 + "." + (i % 250 + 1);
    }

    /// The same members as each server's file has them.
    ///
    /// @param upstreams and `routes`: of Margay
    /// @param backends and `uses`: of HAProxy
    /// @param blocks and `locations`: of nginx
    private record Membership(
            String upstreams,
            String routes,
            String backends,
            String uses,
            String blocks,
            String locations) {
        static Membership at(int port) {
            StringBuilder upstreams = new StringBuilder();
            StringBuilder routes = new StringBuilder();
            StringBuilder backends = new StringBuilder();
            StringBuilder uses = new StringBuilder();
            StringBuilder blocks = new StringBuilder();
            StringBuilder locations = new StringBuilder();
            for (int from = 0; from < MEMBERS; from += MEMBERS_EACH) {
                int group = from / MEMBERS_EACH;
                upstreams.append(
                        "  u" + group + ":\n    health: {get: /, every: 5s}\n    members:\n");
                routes.append("      /u" + group + ": {gateway: u" + group + "}\n");
                backends.append("backend b" + group + "\n    option httpchk GET /\n");
                uses.append("    use_backend b" + group + " if { path_beg /u" + group + " }\n");
                blocks.append("upstream u" + group + " {\n");
                locations.append(
                        "location /u" + group + " { proxy_pass http://u" + group + "; }\n");
                for (int i = from; i < Math.min(MEMBERS, from + MEMBERS_EACH); i++) {
                    String at = member(i) + ":" + port;
                    upstreams.append("      - {url: \"http://" + at + "\"}\n");
                    backends.append("    server s" + i + " " + at + " check inter 5s\n");
                    blocks.append("server " + at + ";\n");
                }
                blocks.append("}\n");
            }
            return new Membership(
                    upstreams.toString(),
                    routes.toString(),
                    backends.toString(),
                    uses.toString(),
                    blocks.toString(),
                    locations.toString());
        }
    }

    @Test
    void members() throws Exception {
        assumeTrue(has("nginx"), "nginx is the members");
        try (ServerProcess back = nginxBack()) {
            int port = backPort;
            InetSocketAddress members =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            Eventually.holds(
                    "the members are there",
                    PATIENCE,
                    () -> back.pid() > 0 && status(members, "/") == 200);
            report(
                    "| server | start with "
                            + MEMBERS
                            + " members | 20 s of health checks, each 5 s | a request |");
            report("|---|---|---|---|");
            Membership all = Membership.at(port);
            int front = FreePort.next();
            Files.writeString(
                    folder.resolve("margay.yaml"),
                    "work: work\nlisteners: [{http: 127.0.0.1:"
                            + front
                            + "}]\nupstreams:\n"
                            + all.upstreams
                            + "hosts:\n  - routes:\n"
                            + all.routes);
            members("Margay", front, ServerProcess.margay(folder, "run", "margay.yaml"), "");
            int second = FreePort.next();
            members(
                    "nginx",
                    second,
                    new GrowthServers(folder)
                            .nginx(
                                    all.blocks
                                            + "server { listen 127.0.0.1:"
                                            + second
                                            + ";\n"
                                            + all.locations
                                            + "}\n"),
                    " (it has none)");
            if (has("haproxy")) {
                int third = FreePort.next();
                members(
                        "HAProxy",
                        third,
                        new GrowthServers(folder)
                                .haproxy(
                                        "frontend f\n    bind 127.0.0.1:"
                                                + third
                                                + "\n"
                                                + all.uses
                                                + all.backends),
                        "");
            }
            report("");
        }
    }

    private int backPort;

    private ServerProcess nginxBack() throws IOException {
        backPort = FreePort.next();
        Path own = Files.createDirectories(folder.resolve("back"));
        Path file =
                Files.writeString(
                        own.resolve("nginx.conf"),
                        "daemon off; master_process off; pid %1$s/pid; error_log %1$s/log;\n"
                                        .formatted(own)
                                + "events { worker_connections 19000; }\n"
                                + "http { access_log off; keepalive_requests 1000000;\n"
                                + GrowthServers.OWN_FOLDERS
                                + "server { listen 0.0.0.0:"
                                + backPort
                                + "; return 200 ok; } }\n");
        return ServerProcess.other(own, "nginx", "-p", own.toString(), "-c", file.toString());
    }

    private void members(String server, int port, ServerProcess started, String note)
            throws Exception {
        try (ServerProcess process = started) {
            InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            Eventually.holds("it serves", PATIENCE, () -> status(at, "/u0/") == 200);
            double start = cpuSeconds(process);
            long memory = mib(process);
            int groups = (MEMBERS + MEMBERS_EACH - 1) / MEMBERS_EACH;
            for (int i = 0; i < REQUESTS; i++) { // warm
                requireOk(at, "/u" + i % groups + "/");
            }
            double before = cpuSeconds(process);
            long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            Eventually.holds("20 s are over", PATIENCE, () -> System.nanoTime() - until > 0);
            double idle = cpuSeconds(process) - before;
            double begin = cpuSeconds(process);
            for (int i = 0; i < REQUESTS; i++) {
                requireOk(at, "/u" + i % groups + "/");
            }
            double each = (cpuSeconds(process) - begin) * 1e6 / REQUESTS;
            report(
                    "| %s | %.2f CPU-s, %d MiB | %.2f CPU-s%s | %.0f CPU-µs |"
                            .formatted(server, start, memory, idle, note, each));
        }
    }

    private static void requireOk(InetSocketAddress at, String path) throws IOException {
        int status = status(at, path);
        if (status != 200) {
            throw new IOException(path + " is answered with " + status);
        }
    }

    private static int status(InetSocketAddress at, String path) {
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n");
            return Integer.parseInt(client.line().split(" ")[1]);
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }

    // WebSockets

    @Test
    void webSockets() throws Exception {
        Path classes =
                Files.createDirectories(folder.resolve("app/WEB-INF/classes/io/margay/app/it"));
        try (var in = IdleEndpoint.class.getResourceAsStream("IdleEndpoint.class")) {
            Files.write(classes.resolve("IdleEndpoint.class"), in.readAllBytes());
        }
        int port = FreePort.next();
        Files.writeString(
                folder.resolve("margay.yaml"),
                "listeners: [{http: 127.0.0.1:"
                        + port
                        + ", connections-max: 30000}]\nwork: work\n"
                        + "hosts: [{routes: {/: {app: app}}}]\n");
        report("| server | idle WebSockets | resident before, with them | 20 s of idleness |");
        report("|---|---|---|---|");
        try (ServerProcess end = ServerProcess.margay(folder, "run", "margay.yaml")) {
            webSockets("Margay, the application itself", end, port, WEB_SOCKETS);
            int tunnels =
                    WEB_SOCKETS
                            * 2
                            / 5; // each has two descriptors of those that a process may have
            Path own = Files.createDirectories(folder.resolve("gateway"));
            int gateway = FreePort.next();
            Files.writeString(
                    own.resolve("margay.yaml"),
                    "work: work\nlisteners: [{http: 127.0.0.1:"
                            + gateway
                            + ", connections-max: 30000}]\n"
                            + "upstreams: {w: {members: [{url: \"http://127.0.0.1:"
                            + port
                            + "\"}]}}\n"
                            + "hosts: [{routes: {/: {gateway: w}}}]\n");
            try (ServerProcess process = ServerProcess.margay(own, "run", "margay.yaml")) {
                webSockets("Margay, gateway", process, gateway, tunnels);
            }
            if (has("nginx")) {
                int at = FreePort.next();
                try (ServerProcess process = nginxTunnels(at, port)) {
                    webSockets("nginx, proxy", process, at, tunnels);
                }
            }
            if (has("haproxy")) {
                int at = FreePort.next();
                try (ServerProcess process = haproxyTunnels(at, port)) {
                    webSockets("HAProxy, proxy", process, at, tunnels);
                }
            }
        }
        report("");
    }

    private ServerProcess nginxTunnels(int at, int port) throws Exception {
        return new GrowthServers(folder)
                .nginx(
                        "server { listen 127.0.0.1:"
                                + at
                                + "; location / { proxy_pass http://127.0.0.1:"
                                + port
                                + "; proxy_http_version 1.1; proxy_read_timeout 600s;"
                                + " proxy_set_header Upgrade $http_upgrade;"
                                + " proxy_set_header Connection upgrade; } }\n");
    }

    private ServerProcess haproxyTunnels(int at, int port) throws Exception {
        return new GrowthServers(folder)
                .haproxy(
                        "frontend f\n    bind 127.0.0.1:"
                                + at
                                + "\n    default_backend b\n"
                                + "backend b\n    timeout tunnel 600s\n"
                                + "    server s 127.0.0.1:"
                                + port
                                + "\n");
    }

    /// Opens so many, or as many as can be.
    private void webSockets(String server, ServerProcess process, int port, int count)
            throws Exception {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Eventually.holds("it agrees", PATIENCE, () -> isOpened(at));
        close();
        open.clear();
        long before = mib(process);
        String why = "";
        while (open.size() < count && why.isEmpty()) {
            why = isOpened(at) ? "" : " (no more descriptors)";
        }
        long with = mib(process);
        double begun = cpuSeconds(process);
        long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        Eventually.holds("20 s are over", PATIENCE, () -> System.nanoTime() - until > 0);
        report(
                "| %s | %d%s | %d, %d MiB | %.2f CPU-s |"
                        .formatted(
                                server,
                                open.size(),
                                why,
                                before,
                                with,
                                cpuSeconds(process) - begun));
        close();
        open.clear();
    }

    private boolean isOpened(InetSocketAddress at) {
        try {
            RawHttpClient client = RawHttpClient.connect(at);
            client.send(
                    "GET /idle HTTP/1.1\r\nHost: idle\r\nUpgrade: websocket\r\n"
                            + "Connection: Upgrade\r\n"
                            + "Sec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
            if (!client.line().contains(" 101 ")) {
                client.close();
                return false;
            }
            while (!client.line().isEmpty()) {
                // The fields of the answer.
            }
            open.add(client);
            return true;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}
