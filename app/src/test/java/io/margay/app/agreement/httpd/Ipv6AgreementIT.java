package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Eventually;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Addresses of IPv6 wherever they stand in httpd's files, in requests and in logs, and which of
/// several hosts at one address a name finds: asked by `::1` of Apache httpd and of Margay.
final class Ipv6AgreementIT {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("::1");
    private static final int TIMEOUT_MILLIS = 10_000;

    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "mime",
                    "alias",
                    "env",
                    "setenvif",
                    "headers",
                    "rewrite",
                    "remoteip",
                    "authn_core",
                    "authz_core",
                    "authz_host",
                    "access_compat",
                    "proxy",
                    "proxy_http");

    private static final String SITE =
            """
            Listen [::1]:@PORT@
            Listen 127.0.0.1:@PORT@
            LogFormat "%h %a %{c}a %A %U %>s" addresses
            CustomLog "@DIR@/access.log" addresses
            RemoteIPHeader X-Forwarded-For
            RemoteIPInternalProxy 127.0.0.1 0:0:0:0:0:0:0:1 fd00::/8 2001:db8:1::/48
            RemoteIPTrustedProxy 2001:db8:2::1
            RemoteIPProxiesHeader X-By
            <VirtualHost [0:0::1]:@PORT@>
              ServerName six.example
              ProxyPass /six http://[::1]:@SIX@/a/six
              ProxyPassReverse /six http://[::1]:@SIX@/a/six
              ProxyPass /a http://127.0.0.1:@BACK@/a
              <Location /a/net>
                Require ip 2001:db8::/32
              </Location>
              <Location /a/one>
                Require ip 2001:db8:0:0::7
              </Location>
              <Location /a/four>
                Require ip 192.0.2
              </Location>
              <Location /a/local>
                Require local
              </Location>
              <Location /a/old>
                Order deny,allow
                Deny from all
                Allow from 2001:db8:5::/48
              </Location>
              <Location /a/expr>
                Require expr "-R '2001:db8::/32'"
              </Location>
              <Location /a/match>
                Require expr "%{REMOTE_ADDR} -ipmatch '2001:db8:7::/48'"
              </Location>
              SetEnvIf Remote_Addr "^2001:db8::9$" nine=1
              RequestHeader set X-Nine yes env=nine
              RequestHeader set X-Addr "expr=%{REMOTE_ADDR}"
              RewriteEngine On
              RewriteCond %{REMOTE_ADDR} ^2001:db8::8$
              RewriteRule ^/a/who - [F]
              RewriteRule ^/there http://%{HTTP_HOST}/a/ [R]
              RewriteRule ^/p/(.*) http://[::1]:@SIX@/a/p/$1 [P]
              Redirect /moved http://[2001:db8::1]/a
            </VirtualHost>
            <VirtualHost 127.0.0.1:@PORT@>
              ServerName four.example
              ProxyPass / http://127.0.0.1:@BACK@/four/
            </VirtualHost>
            <VirtualHost [::1]:@PORT@>
              ServerName named.example
              ServerAlias [2001:db8::1] [::2] ::4 named.example:@PORT@
              ProxyPass / http://127.0.0.1:@BACK@/named/
            </VirtualHost>
            <VirtualHost [::1]:@PORT@>
              ServerName wide.example
              ServerAlias *.wide.example
              ProxyPass / http://127.0.0.1:@BACK@/wide/
            </VirtualHost>
            <VirtualHost [0::1]:@PORT@>
              ServerName www.wide.example
              ServerAlias [::1] 0:0::5 *.in.wide.example
              ProxyPass / http://127.0.0.1:@BACK@/www/
            </VirtualHost>
            """;

    /// Path, what is told of the client, and the host that is asked.
    private static final List<String> REQUESTS =
            List.of(
                    "/six/x",
                    "/six/x?moved=http://[::1]:@SIX@/a/six/y",
                    "/p/x",
                    "/there",
                    "/moved",
                    "/a/net",
                    "/a/net|2001:db8::5",
                    "/a/net|2001:DB8:0:0:0:0:0:5",
                    "/a/net|2001:db9::5",
                    "/a/one|2001:db8::7",
                    "/a/one|2001:db8::8",
                    "/a/four|192.0.2.5",
                    "/a/four|::ffff:192.0.2.5",
                    "/a/local",
                    "/a/local|::1",
                    "/a/local|2001:db8::5",
                    "/a/old|2001:db8:5::1",
                    "/a/old|2001:db8:6::1",
                    "/a/expr|2001:db8::5",
                    "/a/expr|2001:db9::5",
                    "/a/match|2001:db8:7::5",
                    "/a/match|2001:db8:8::5",
                    "/a/x|2001:db8::9",
                    "/a/who|2001:db8::8",
                    "/a/who|2001:db8::88",
                    "/a/x|2001:db8:0:0:0:0:0:a",
                    "/a/x|2001:db8::a, 2001:db8:2::1",
                    "/a/x|2001:db8::a, 2001:db8:9::1",
                    "/a/x|2001:db8::a, fd00::1",
                    "/a/x|[2001:db8::a]",
                    "/a/x||six.example",
                    "/x||named.example",
                    "/x||[::1]",
                    "/x||[::2]",
                    "/x||[::2]:81",
                    "/x||[::4]",
                    "/x||[::4]:81",
                    "/x||[0:0::4]",
                    "/x||[0:0::5]",
                    "/x||[::5]",
                    "/x||wide.example",
                    "/x||www.wide.example",
                    "/x||a.in.wide.example",
                    "/x||[::3]");

    private Path folder;
    private AnsweringServer member;
    private AnsweringServer sixth;

    @BeforeEach
    void start() throws IOException {
        try (ServerSocket tried = new ServerSocket(0, 1, LOOPBACK)) {
            assumeTrue(tried.isBound());
        } catch (IOException e) {
            assumeTrue(false, "this machine has no IPv6: " + e.getMessage());
        }
        member = new AnsweringServer("a");
        sixth = new AnsweringServer("six", 0, LOOPBACK);
        folder = Files.createTempDirectory("margay-six");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void stop() {
        if (member != null) {
            member.close();
            sixth.close();
            Folders.delete(folder);
        }
    }

    @Test
    void addresses_ofIpv6_areReadAndWrittenAsByHttpd() throws Exception {
        int port = FreePort.next();
        List<String> theirs;
        List<String> theirLog;
        Path ofHttpd = Files.createDirectories(folder.resolve("httpd"));
        String httpds = site(port, ofHttpd);
        try (HttpdProcess _ = HttpdProcess.start(ofHttpd, MODULES, httpds, port)) {
            theirs = ask(port);
            theirLog = log(ofHttpd);
        }
        Path own = Files.createDirectories(folder.resolve("margay"));
        Path conf = Files.writeString(own.resolve("httpd.conf"), site(port, own));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        try (MargayServer _ = PlanServer.start(plan, own.resolve("work"))) {
            assertEquals(String.join("\n", theirs), String.join("\n", ask(port)));
            assertEquals(String.join("\n", theirLog), String.join("\n", log(own)));
        }
    }

    private String site(int port, Path of) {
        return SITE.replace("@PORT@", String.valueOf(port))
                .replace("@BACK@", String.valueOf(member.httpPort()))
                .replace("@SIX@", String.valueOf(sixth.httpPort()))
                .replace("@DIR@", of.toString());
    }

    /// The lines of a log.
    private static List<String> log(Path of) {
        Path file = of.resolve("access.log");
        Eventually.holds("a line for each request", () -> lines(file).size() == REQUESTS.size());
        return lines(file);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> ask(int port) throws IOException {
        List<String> answers = new ArrayList<>();
        for (String request : REQUESTS) {
            String[] parts = request.split("\\|");
            String host = parts.length > 2 ? parts[2] : "six.example";
            String told =
                    parts.length > 1 && !parts[1].isEmpty()
                            ? "X-Forwarded-For: " + parts[1] + "\r\n"
                            : "";
            String path = parts[0].replace("@SIX@", String.valueOf(sixth.httpPort()));
            answers.add(request + " => " + ask(port, path, host, told));
        }
        return answers;
    }

    private static String ask(int port, String path, String host, String told) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(LOOPBACK, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            String head = "GET %s HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n";
            socket.getOutputStream()
                    .write(head.formatted(path, host, told).getBytes(StandardCharsets.ISO_8859_1));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            Matcher location = Pattern.compile("(?i)\r\nLocation: (.*)\r\n").matcher(answer);
            int mark = answer.indexOf(AnsweringServer.MARK);
            return answer.substring(9, 12)
                    + (location.find() ? " " + location.group(1) : "")
                    + (mark < 0 ? "" : " " + answer.substring(mark).strip());
        }
    }
}
