package io.margay.app.it;

import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

/// A front end before two back ends that fail: Margay, or another to set beside it, each told to
/// retry what may be retried, to wait 1 s for a connection and 2 s for an answer. Used by one
/// thread.
final class FaultFront implements AutoCloseable {
    /// Which one, and by which protocol it asks.
    enum Kind {
        MARGAY_AJP("margay-ajp", "ajp"),
        MARGAY_HTTP("margay-http", "http"),
        MARGAY_H2C("margay-h2c", "h2c"),
        MOD_JK("mod_jk", "ajp"),
        NGINX("nginx", "http"),
        HAPROXY("haproxy", "http");

        private final String word;
        private final String scheme;

        Kind(String word, String scheme) {
            this.word = word;
            this.scheme = scheme;
        }

        String word() {
            return word;
        }

        String scheme() {
            return scheme;
        }

        boolean isMargay() {
            return this == MARGAY_AJP || this == MARGAY_HTTP || this == MARGAY_H2C;
        }

        static Kind of(String word) {
            return Arrays.stream(values())
                    .filter(each -> each.word.equals(word))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no front end: " + word));
        }
    }

    /// Of the checks of every upstream of Margay.
    static final long EVERY_MILLIS = 500;

    static final long TIMEOUT_MILLIS = 1000;

    private final Runnable end;
    private final int port;

    /// @param end ends its processes
    private FaultFront(Runnable end, int port) {
        this.end = end;
        this.port = port;
    }

    /// Before two good back ends.
    static FaultFront start(Kind kind, Path folder, FaultyBackEnd one, FaultyBackEnd two)
            throws IOException {
        String scheme = kind.scheme();
        return switch (kind) {
            case MARGAY_AJP, MARGAY_HTTP, MARGAY_H2C ->
                    margay(folder, one.member(scheme), two.member(scheme));
            case MOD_JK -> modJk(folder, one, two);
            case NGINX -> nginx(folder, one.port(scheme), two.port(scheme));
            case HAPROXY -> haproxy(folder, one.port(scheme), two.port(scheme));
        };
    }

    /// Margay, before any members.
    static FaultFront margay(Path folder, String... members) throws IOException {
        return margay(folder, 2, members);
    }

    /// The same with another time for an answer.
    static FaultFront margay(Path folder, int replySeconds, String... members) throws IOException {
        return margayWith(folder, replySeconds, "", "", members);
    }

    /// One of several that share, and count together what they let pass.
    ///
    /// @param url of what they share
    static FaultFront sharing(Path folder, int replySeconds, String url, String... members)
            throws IOException {
        return margayWith(
                folder,
                replySeconds,
                "rate-limits: [{concurrent: 1000, by: all}], ",
                "shared: {url: \"%s\", key: the gateways share this and nobody else, node: %s}\n"
                        .formatted(url, folder.getFileName()),
                members);
    }

    private static FaultFront margayWith(
            Path folder, int replySeconds, String ofHost, String more, String... members)
            throws IOException {
        Path home = Files.createDirectories(folder);
        Files.writeString(
                home.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{%sroutes: {/app/*: {gateway: up}, /jkstatus: {status: jkstatus}}}]
                upstreams:
                  up:
                    members: [%s]
                    connect-timeout: 1s
                    reply-timeout: %ds
                    recover: 2s
                    maintain: 1s
                    health: {get: /app/bytes/3, every: %dms, timeout: %dms}
                work: work
                %s\
                """
                        .formatted(
                                ofHost,
                                String.join(", ", members),
                                replySeconds,
                                EVERY_MILLIS,
                                TIMEOUT_MILLIS,
                                more));
        ServerProcess process = ServerProcess.margay(home, "run", "margay.yaml");
        return new FaultFront(process::endAll, process.awaitMargay());
    }

    /// A member behind a front end that is not Margay.
    ///
    /// @param name the route of its sessions
    record Member(String name, int port) {}

    /// nginx, which sends the requests of a session to the member whose route it has, and to the
    /// others if that fails.
    static FaultFront nginx(Path folder, int replySeconds, List<Member> members)
            throws IOException {
        StringBuilder routes = new StringBuilder("map $cookie_JSESSIONID $up {\n default up;\n");
        StringBuilder upstreams = new StringBuilder();
        upstream(upstreams, "up", "", members);
        for (Member each : members) {
            routes.append(" ~\\.%s$ up-%s;\n".formatted(each.name, each.name));
            upstream(upstreams, "up-" + each.name, each.name, members);
        }
        return nginx(folder, routes.append("}\n").toString() + upstreams, "$up", replySeconds);
    }

    /// @param first the member that the others stand in for; empty = all are equal
    private static void upstream(
            StringBuilder into, String name, String first, List<Member> members) {
        into.append("upstream %s {\n".formatted(name));
        for (Member each : members) {
            boolean standby = !first.isEmpty() && !each.name.equals(first);
            into.append(
                    " server 127.0.0.1:%d max_fails=1 fail_timeout=2s%s;\n"
                            .formatted(each.port, standby ? " backup" : ""));
        }
        into.append(" keepalive 32;\n}\n");
    }

    /// HAProxy, which does the same, and checks its members.
    static FaultFront haproxy(Path folder, int replySeconds, List<Member> members)
            throws IOException {
        StringBuilder servers = new StringBuilder();
        for (Member each : members) {
            servers.append(
                    "  use-server %s if { req.cook(JSESSIONID) -m end .%s }\n"
                            .formatted(each.name, each.name));
        }
        for (Member each : members) {
            servers.append("  server %s 127.0.0.1:%d\n".formatted(each.name, each.port));
        }
        return haproxy(folder, servers.toString(), replySeconds);
    }

    private static FaultFront other(int port, Path folder, String... words) throws IOException {
        ServerProcess process = ServerProcess.other(folder, words);
        process.awaitPort(port);
        return new FaultFront(process::endAll, port);
    }

    private static String workers(FaultyBackEnd... members) {
        StringBuilder workers =
                new StringBuilder(
                        """
                        worker.list=lb
                        worker.maintain=1
                        worker.lb.type=lb
                        worker.lb.balance_workers=one,two
                        worker.lb.recover_time=2
                        """);
        for (FaultyBackEnd each : members) {
            workers.append(
                    """
                    worker.NAME.type=ajp13
                    worker.NAME.host=127.0.0.1
                    worker.NAME.port=%d
                    worker.NAME.secret=%s
                    worker.NAME.socket_connect_timeout=1000
                    worker.NAME.ping_mode=A
                    worker.NAME.ping_timeout=1000
                    worker.NAME.reply_timeout=2000
                    worker.NAME.recovery_options=27
                    """
                            .formatted(each.port("ajp"), FaultyBackEnd.SECRET)
                            .replace("NAME", each.name()));
        }
        return workers.toString();
    }

    private static FaultFront modJk(Path folder, FaultyBackEnd one, FaultyBackEnd two)
            throws IOException {
        Files.createDirectory(
                folder,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(folder.resolve("workers.properties"), workers(one, two));
        int port = FreePort.next();
        String conf =
                """
                Listen 127.0.0.1:%d
                StartServers 1
                ServerLimit 1
                ThreadsPerChild 32
                MaxRequestWorkers 32
                MaxKeepAliveRequests 0
                JkWorkersFile workers.properties
                JkShmFile logs/jk.shm
                JkLogFile logs/jk.log
                JkLogLevel error
                JkWatchdogInterval 1
                JkMount /app/* lb
                """
                        .formatted(port);
        HttpdProcess httpd =
                HttpdProcess.start(folder, List.of("mpm_event", "authz_core", "jk"), conf, port);
        return new FaultFront(httpd::close, port);
    }

    private static FaultFront nginx(Path folder, int one, int two) throws IOException {
        List<Member> members = List.of(new Member("one", one), new Member("two", two));
        StringBuilder upstream = new StringBuilder();
        upstream(upstream, "up", "", members);
        return nginx(folder, upstream.toString(), "up", 2);
    }

    /// @param upstreams what it says of its members
    /// @param chosen which of the upstreams gets a request
    private static FaultFront nginx(Path folder, String upstreams, String chosen, int replySeconds)
            throws IOException {
        Files.createDirectory(folder);
        int port = FreePort.next();
        Files.writeString(
                folder.resolve("nginx.conf"),
                """
                %s
                daemon off;
                worker_processes 1;
                pid nginx.pid;
                events { worker_connections 512; }
                http {
                  access_log off;
                  client_body_temp_path body;
                  proxy_temp_path proxy;
                  fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi;
                  scgi_temp_path scgi;
                  keepalive_requests 1000000;
                  %s
                  server {
                    listen 127.0.0.1:%d;
                    location /app/ {
                      proxy_pass http://%s;
                      proxy_http_version 1.1;
                      proxy_set_header Connection "";
                      proxy_set_header Host $host;
                      proxy_connect_timeout 1s;
                      proxy_read_timeout %ds;
                      proxy_buffers 16 8k;
                      proxy_next_upstream error timeout;
                    }
                  }
                }
                """
                        .formatted(
                                "root".equals(System.getProperty("user.name")) ? "user root;" : "",
                                upstreams,
                                port,
                                chosen,
                                replySeconds));
        return other(
                port,
                folder,
                "/usr/sbin/nginx",
                "-p",
                folder.toString(),
                "-e",
                "error.log",
                "-c",
                "nginx.conf");
    }

    private static FaultFront haproxy(Path folder, int one, int two) throws IOException {
        String servers =
                "  server one 127.0.0.1:%d\n  server two 127.0.0.1:%d\n".formatted(one, two);
        return haproxy(folder, servers, 2);
    }

    private static FaultFront haproxy(Path folder, String servers, int replySeconds)
            throws IOException {
        Files.createDirectory(folder);
        int port = FreePort.next();
        Files.writeString(
                folder.resolve("haproxy.cfg"),
                """
                defaults
                  mode http
                  timeout connect 1s
                  timeout client 60s
                  timeout server %ds
                  option redispatch 1
                  retries 3
                  retry-on conn-failure empty-response response-timeout
                frontend front
                  bind 127.0.0.1:%d
                  default_backend up
                backend up
                  http-request disable-l7-retry if METH_POST
                  option httpchk GET /app/bytes/3
                  timeout check %dms
                  default-server check inter %dms
                %s
                """
                        .formatted(replySeconds, port, TIMEOUT_MILLIS, EVERY_MILLIS, servers));
        return other(port, folder, "/usr/sbin/haproxy", "-db", "-f", "haproxy.cfg");
    }

    int port() {
        return port;
    }

    /// Whether Margay gives requests to a member, if only to try it.
    ///
    /// @param member its name or its route: those from the DNS are called by their URLs
    boolean isIn(String member) {
        String status = status();
        return status.lines().noneMatch((worker(status, member) + ".state=ERR")::equals);
    }

    /// Whether Margay has a member with that name or route.
    boolean knows(String member) {
        String status = status();
        String worker = worker(status, member) + ".";
        return status.lines().anyMatch(line -> line.startsWith(worker));
    }

    private static String worker(String status, String member) {
        String route = ".route=" + member;
        return status.lines()
                .filter(line -> line.endsWith(route))
                .map(line -> line.substring(0, line.length() - route.length()))
                .findFirst()
                .orElse("worker." + member);
    }

    private String status() {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            return client.get("/jkstatus?mime=prop").text();
        } catch (IOException e) {
            throw new AssertionError("the gateway does not answer", e);
        }
    }

    @Override
    public void close() {
        end.run();
    }
}
