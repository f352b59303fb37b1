package io.margay.server.ajp;

import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A real httpd with mod_jk and mod_proxy_ajp, in the foreground, configured by files in a
/// temporary folder, on free ports of the loopback.
final class Httpd implements AutoCloseable {
    /// The ways through this httpd, each a port of its own.
    enum Way {
        JK(false),
        JK_64K(false),
        JK_WRONG_SECRET(false),
        JK_NO_SECRET(false),
        JK_TLS(true),
        PROXY(false),
        PROXY_64K(false),
        PROXY_WRONG_SECRET(false),
        PROXY_NO_SECRET(false),
        PROXY_TLS(true);

        final boolean tls;

        Way(boolean tls) {
            this.tls = tls;
        }
    }

    private static final List<String> LOADED =
            List.of(
                    "mpm_event",
                    "authz_core",
                    "authz_user",
                    "authn_core",
                    "authn_file",
                    "auth_basic",
                    "env",
                    "reqtimeout",
                    "socache_shmcb",
                    "ssl",
                    "proxy",
                    "proxy_ajp",
                    "jk");

    private final Path folder;
    private final Map<Way, Integer> ports = new EnumMap<>(Way.class);
    private final HttpdProcess process;

    /// Whether this machine has httpd with all modules.
    static boolean isInstalled() {
        return HttpdProcess.isInstalled(LOADED);
    }

    /// Starts httpd in front of two AJP13 listeners on the loopback.
    ///
    /// @param port a listener for packets of 8192 bytes
    /// @param port64 a listener for packets of 65536 bytes
    Httpd(int port, int port64, String secret) throws IOException, InterruptedException {
        folder =
                Files.createTempDirectory(
                        "margay-httpd",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwxr-xr-x")));
        for (Way way : Way.values()) {
            ports.put(way, FreePort.next());
        }
        certificate("server", "/CN=localhost");
        certificate("client", "/O=Margay/CN=ann");
        run(Program.of("openssl"), "passwd", "-apr1", "-salt", "12345678", "pass");
        Files.writeString(
                folder.resolve("users"),
                "ann:" + run(Program.of("openssl"), "passwd", "-apr1", "pass"));
        Files.writeString(folder.resolve("workers.properties"), workers(port, port64, secret));
        process =
                HttpdProcess.start(
                        folder,
                        LOADED,
                        configuration(port, port64, secret),
                        ports.values().stream().mapToInt(Integer::intValue).toArray());
    }

    /// Where a way begins.
    String url(Way way) {
        return (way.tls ? "https" : "http") + "://localhost:" + port(way);
    }

    int port(Way way) {
        return ports.get(way);
    }

    /// A file of its folder.
    Path file(String name) {
        return folder.resolve(name);
    }

    /// What httpd and mod_jk have logged.
    String log() throws IOException {
        return process.log();
    }

    private void certificate(String name, String subject) throws IOException, InterruptedException {
        run(
                Program.of("openssl"),
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                subject,
                "-addext",
                "subjectAltName=DNS:localhost",
                "-keyout",
                name + ".key",
                "-out",
                name + ".pem");
        run(
                Program.of("openssl"),
                "pkcs12",
                "-export",
                "-passout",
                "pass:secret",
                "-in",
                name + ".pem",
                "-inkey",
                name + ".key",
                "-out",
                name + ".p12");
        run("chmod", "a+r", name + ".key", name + ".p12");
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path out = folder.resolve("command.log");
        Process started =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        if (!started.waitFor(60, TimeUnit.SECONDS) || started.exitValue() != 0) {
            started.destroyForcibly();
            throw new IOException(List.of(command) + " failed: " + Files.readString(out));
        }
        return Files.readString(out);
    }

    private static String workers(int port, int port64, String secret) {
        StringBuilder text = new StringBuilder();
        text.append("worker.list=small,large,wrong,none\n");
        text.append(worker("small", port)).append("worker.small.secret=").append(secret);
        text.append('\n').append(worker("large", port64));
        text.append("worker.large.max_packet_size=65536\nworker.large.secret=").append(secret);
        text.append('\n').append(worker("wrong", port)).append("worker.wrong.secret=other\n");
        text.append(worker("none", port));
        return text.toString();
    }

    private static String worker(String name, int port) {
        String prefix = "worker." + name + ".";
        return prefix
                + "type=ajp13\n"
                + prefix
                + "host=127.0.0.1\n"
                + prefix
                + "port="
                + port
                + "\n"
                + prefix
                + "ping_mode=A\n";
    }

    private String configuration(int port, int port64, String secret) {
        List<String> lines = new ArrayList<>();
        lines.add("StartServers 1");
        lines.add("ServerLimit 2");
        lines.add("ThreadsPerChild 32");
        lines.add("MaxRequestWorkers 64");
        lines.add("KeepAlive On");
        lines.add("MaxKeepAliveRequests 0");
        lines.add("AllowEncodedSlashes NoDecode");
        lines.add("LimitRequestBody 0");
        lines.add("LogLevel warn");
        lines.add("JkWorkersFile workers.properties");
        lines.add("JkShmFile logs/jk.shm");
        lines.add("JkLogFile logs/jk.log");
        lines.add("JkLogLevel error");
        lines.add("JkOptions +ForwardKeySize");
        lines.add("ProxyRequests Off");
        String small = "ajp://127.0.0.1:" + port;
        virtualHost(lines, Way.JK, "JkMount /* small");
        virtualHost(lines, Way.JK_64K, "JkMount /* large");
        virtualHost(lines, Way.JK_WRONG_SECRET, "JkMount /* wrong");
        virtualHost(lines, Way.JK_NO_SECRET, "JkMount /* none");
        virtualHost(lines, Way.JK_TLS, "JkMount /* small");
        virtualHost(lines, Way.PROXY, proxy(small, " secret=" + secret + " ping=1"));
        virtualHost(
                lines,
                Way.PROXY_64K,
                "ProxyIOBufferSize 65536\nSetEnv ap_trust_cgilike_cl 1\n"
                        + proxy("ajp://127.0.0.1:" + port64, " secret=" + secret));
        virtualHost(lines, Way.PROXY_WRONG_SECRET, proxy(small + "/", " secret=other"));
        virtualHost(
                lines,
                Way.PROXY_NO_SECRET,
                "ProxyPass / ajp://localhost:" + port + "/ disablereuse=On");
        virtualHost(lines, Way.PROXY_TLS, proxy("ajp://localhost:" + port, " secret=" + secret));
        return String.join("\n", lines) + "\n";
    }

    private static String proxy(String url, String parameters) {
        String to = url.endsWith("/") ? url : url + "/";
        return "ProxyPass / " + to + parameters;
    }

    private void virtualHost(List<String> lines, Way way, String mapping) {
        int port = ports.get(way);
        lines.add("Listen 127.0.0.1:" + port);
        lines.add("<VirtualHost 127.0.0.1:" + port + ">");
        lines.add(mapping);
        lines.add("SetEnv AJP_JK_LB_ACTIVATION ACT");
        if (way.tls) {
            lines.add("SSLEngine On");
            lines.add("SSLCertificateFile server.pem");
            lines.add("SSLCertificateKeyFile server.key");
            lines.add("SSLVerifyClient optional_no_ca");
            lines.add("SSLOptions +StdEnvVars +ExportCertData");
        }
        lines.add("<Location /facts/user>");
        lines.add("AuthType Basic");
        lines.add("AuthName test");
        lines.add("AuthUserFile users");
        lines.add("Require valid-user");
        lines.add("</Location>");
        lines.add("</VirtualHost>");
    }

    @Override
    public void close() {
        process.close();
        Folders.delete(folder);
    }
}
