package io.margay.app.agreement.member;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.FolderFileCheck;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.rules.RuleLimits;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Apache httpd and Margay, with the same cases as virtual hosts of one file, in front of one
/// member. Confined to one thread.
final class Fronts implements AutoCloseable {
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "mime",
                    "dir",
                    "alias",
                    "env",
                    "setenvif",
                    "headers",
                    "expires",
                    "filter",
                    "deflate",
                    "rewrite",
                    "remoteip",
                    "authn_core",
                    "authn_file",
                    "auth_basic",
                    "authz_core",
                    "authz_host",
                    "authz_user",
                    "socache_shmcb",
                    "ssl",
                    "proxy",
                    "proxy_http",
                    "proxy_wstunnel",
                    "proxy_ajp",
                    "proxy_fcgi",
                    "slotmem_shm",
                    "unique_id",
                    "proxy_balancer",
                    "lbmethod_byrequests",
                    "jk");

    private static final List<String> FILES =
            List.of(
                    "index.html",
                    "a.txt",
                    "page.html",
                    "style.css",
                    "app.js",
                    "img.png",
                    "x.php",
                    ".hidden",
                    "sub/index.html",
                    "sub/f.txt",
                    "sub/y.php",
                    "err/404.html",
                    "err/500.html",
                    "up/u.html",
                    "alias/index.html",
                    "alias/o.txt",
                    "alias/z.php");

    /// What stands before the hosts. Its lines are counted below.
    private static final String SERVER =
            """
            Listen 127.0.0.1:@PORT@
            ServerName main.example
            JkWorkerProperty worker.list=jk
            JkWorkerProperty worker.jk.type=ajp13
            JkWorkerProperty worker.jk.host=127.0.0.1
            JkWorkerProperty worker.jk.port=@AJPPORT@
            JkShmFile logs/jk.shm
            JkLogFile logs/jk.log
            """;

    /// What stands before that for Margay, which is told of the modules that it asks for.
    private static final String START =
            """
            ServerRoot "%s"
            LoadModule unique_id_module modules/mod_unique_id.so
            """;

    private final Path folder;
    private final HttpdProcess httpd;
    private final MargayServer margay;
    private final Ports theirs;
    private final Ports ours;

    /// What `check` says of each case.
    private final Map<Long, List<Named>> named;

    /// A line of a case that `check` names.
    ///
    /// @param file the name of a `.htaccess`; empty = the host
    /// @param line from 0
    record Named(String file, int line, AccountLine account) {}

    /// Where a server listens.
    ///
    /// @param tls used where a case is asked over TLS
    private record Ports(int plain, int tls) {
        static Ports next() throws IOException {
            return new Ports(FreePort.next(), FreePort.next());
        }
    }

    private Fronts(
            Path folder,
            HttpdProcess httpd,
            MargayServer margay,
            Ports theirs,
            Ports ours,
            Map<Long, List<Named>> named) {
        this.folder = folder;
        this.httpd = httpd;
        this.margay = margay;
        this.theirs = theirs;
        this.ours = ours;
        this.named = named;
    }

    /// Starts both. None of the cases may have a line that is wrong.
    static Fronts start(List<MemberCase> cases, RecordingMember member) throws IOException {
        Path folder = newFolder();
        for (MemberCase one : cases) {
            site(folder, one);
        }
        Ports theirs = Ports.next();
        Ports ours = Ports.next();
        String text = text(cases, folder, member, theirs);
        HttpdProcess httpd = HttpdProcess.startSingle(folder, MODULES, text, theirs.plain);
        try {
            GatewayPlan plan = plan(cases, folder, member, ours);
            Map<Long, List<Named>> named = named(cases, plan, folder);
            if (plan.isWrong()) {
                throw new IllegalStateException(plan.failures().toString());
            }
            MargayServer margay = PlanServer.start(plan, folder.resolve("work"));
            return new Fronts(folder, httpd, margay, theirs, ours, named);
        } catch (RuntimeException | IOException e) {
            httpd.close();
            Folders.delete(folder);
            throw e;
        }
    }

    /// What `check` says of one case.
    static List<Named> check(MemberCase one, RecordingMember member) throws IOException {
        Path folder = newFolder();
        try {
            site(folder, one);
            GatewayPlan plan = plan(List.of(one), folder, member, new Ports(8080, 8443));
            return named(List.of(one), plan, folder).get(one.seed());
        } finally {
            Folders.delete(folder);
        }
    }

    private static Path newFolder() throws IOException {
        Path folder = Files.createTempDirectory("margay-member");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        return folder;
    }

    private static void site(Path folder, MemberCase one) throws IOException {
        Path site = folder.resolve("c" + one.seed());
        for (String name : FILES) {
            if (name.endsWith(".php") && !one.all().contains("\"proxy:fcgi://")) {
                continue; // it would be sent, where no other host of the file runs it
            }
            Path file = site.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "file:" + name + "\n");
        }
        Files.writeString(site.resolve("users"), "ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n");
        for (Map.Entry<String, String> file : one.files().entrySet()) {
            Files.writeString(site.resolve(file.getKey()), file.getValue());
        }
    }

    private static GatewayPlan plan(
            List<MemberCase> cases, Path folder, RecordingMember member, Ports ports)
            throws IOException {
        Path conf = folder.resolve("margay.conf");
        Files.createDirectories(folder.resolve("logs"));
        Files.writeString(conf, START.formatted(folder) + text(cases, folder, member, ports));
        return GatewayFiles.read(List.of(conf), Map.of());
    }

    private static String text(
            List<MemberCase> cases, Path folder, RecordingMember member, Ports ports) {
        StringBuilder text = new StringBuilder(server(cases));
        for (MemberCase one : cases) {
            if (!one.alone()) {
                text.append("<VirtualHost *:").append(one.tls() ? "@TLSPORT@" : "@PORT@");
                text.append(">\nServerName ").append(one.host()).append('\n');
            }
            for (String line : one.lines()) {
                text.append(
                        line.replace("@DIR@", folder.resolve("c" + one.seed()).toString())
                                .replace("@NAME@", "b" + one.seed()));
                text.append('\n');
            }
            text.append(one.alone() ? "" : "</VirtualHost>\n");
        }
        return member.named(text.toString())
                .replace("@PORT@", String.valueOf(ports.plain))
                .replace("@TLSPORT@", String.valueOf(ports.tls))
                .replace("@AJPPORT@", String.valueOf(member.ajpPort()));
    }

    private static String server(List<MemberCase> cases) {
        boolean tls = cases.stream().anyMatch(MemberCase::tls);
        return SERVER + (tls ? "Listen 127.0.0.1:@TLSPORT@\n" : "");
    }

    private static Map<Long, List<Named>> named(
            List<MemberCase> cases, GatewayPlan plan, Path folder) {
        List<AccountLine> failures = new ArrayList<>(plan.failures());
        failures.addAll(FolderFileCheck.of(plan, RuleLimits.defaults()));
        Map<Long, List<Named>> found = new HashMap<>();
        int line = 1 + (int) (START + server(cases)).lines().count();
        for (MemberCase one : cases) {
            int first = line + (one.alone() ? 0 : 2);
            List<Named> ofCase = found.computeIfAbsent(one.seed(), _ -> new ArrayList<>());
            String site = folder.resolve("c" + one.seed()) + "/";
            for (AccountLine failure : failures) {
                String file = failure.place().file();
                int at = failure.place().line();
                if (file.startsWith(site)) {
                    ofCase.add(new Named(file.substring(site.length()), at - 1, failure));
                } else if (file.endsWith("margay.conf")
                        && at >= first
                        && at < first + one.lines().size()) {
                    ofCase.add(new Named("", at - first, failure));
                }
            }
            line = first + one.lines().size() + (one.alone() ? 0 : 1);
        }
        return found;
    }

    List<Named> named(MemberCase one) {
        return named.getOrDefault(one.seed(), List.of());
    }

    int httpdPort() {
        return theirs.plain;
    }

    int httpdTlsPort() {
        return theirs.tls;
    }

    int port() {
        return ours.plain;
    }

    int tlsPort() {
        return ours.tls;
    }

    String log() throws IOException {
        return httpd.log();
    }

    @Override
    public void close() {
        margay.close();
        httpd.close();
        Folders.delete(folder);
    }
}
