package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.agreement.AccessCase;
import io.margay.app.agreement.AccessCases;
import io.margay.app.agreement.AccessProbe;
import io.margay.app.agreement.Agreement;
import io.margay.app.agreement.Agreement.Verdict;
import io.margay.app.agreement.Authorities;
import io.margay.app.agreement.ProbeAnswer;
import io.margay.app.agreement.ProbeClient;
import io.margay.app.agreement.Site;
import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Gives generated configurations to Apache httpd and to Margay, asks both the same, and counts how
/// they agree. Confined to one thread.
final class AccessAgreement implements AutoCloseable {
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authn_core",
                    "authz_core",
                    "authz_host",
                    "authz_user",
                    "authz_groupfile",
                    "authn_file",
                    "auth_basic",
                    "access_compat",
                    "allowmethods",
                    "alias",
                    "dir",
                    "env",
                    "setenvif",
                    "rewrite",
                    "headers",
                    "remoteip",
                    "mime",
                    "cgi",
                    "proxy",
                    "proxy_http",
                    "ssl");

    /// A file of its own for each configuration on which the servers do not agree.
    private static final Path REPORT = Path.of("target", "access-agreement");

    private final Path folder;
    private final Path site;
    private final AnsweringServer peer;
    private final ProbeClient client;
    private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    private final Map<String, Integer> reasons = new TreeMap<>();
    private final Map<String, Integer> otherStatuses = new TreeMap<>();
    private final Map<String, Integer> refusals = new TreeMap<>();
    private final List<String> disagreements = new ArrayList<>();
    private int compared;
    private int refused;
    private int invalid;

    AccessAgreement() throws IOException, GeneralSecurityException {
        folder = Files.createTempDirectory("margay-agreement");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        site = Files.createDirectory(folder.resolve("site"));
        Site.write(site);
        client = new ProbeClient(Authorities.make(site));
        peer = new AnsweringServer("peer");
    }

    /// Tries configurations: each answer of Margay's must be httpd's, or be stricter for a known
    /// reason, and few may be refused.
    ///
    /// @param configs how many
    /// @param users whether users may have to log in
    static void holds(int configs, boolean users) throws IOException, GeneralSecurityException {
        try (AccessAgreement agreement = new AccessAgreement()) {
            for (int seed = 1; seed <= configs; seed++) {
                agreement.run(seed, users);
            }
            agreement.isWhole();
            assertTrue(agreement.refused() <= configs / 4, agreement::report);
        }
    }

    /// Tries the configurations of one seed again, on which the two have once not agreed.
    static void holdsAgain(int seed) throws IOException, GeneralSecurityException {
        try (AccessAgreement agreement = new AccessAgreement()) {
            agreement.run(seed, false);
            agreement.run(seed, true);
            agreement.isWhole();
        }
    }

    /// Tries a configuration that is written in a file, with every path as it stands.
    ///
    /// @return how many requests Margay alone refuses, for a known reason
    static int holds(String file) throws IOException, GeneralSecurityException {
        try (AccessAgreement agreement = new AccessAgreement()) {
            agreement.compare(AccessCase.ofFile(file));
            agreement.isWhole();
            assertEquals(1, agreement.compared(), agreement::report);
            return agreement.count(Verdict.STRICTER);
        }
    }

    private void isWhole() {
        assertEquals(0, count(Verdict.LAXER), this::report);
        assertEquals(0, count(Verdict.UNEXPLAINED), this::report);
        assertEquals(0, invalid(), this::report);
    }

    /// Tries the configuration of a seed.
    ///
    /// @param users whether users may have to log in
    void run(long seed, boolean users) throws IOException {
        AccessCase made = AccessCases.of(seed, users);
        List<Path> written = new ArrayList<>();
        try {
            for (Map.Entry<String, String> file : made.files().entrySet()) {
                String text = file.getValue().replace("@DIR@", site.toString());
                written.add(Files.writeString(site.resolve(file.getKey()), text));
            }
            compare(made);
        } finally {
            for (Path file : written) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void compare(AccessCase made) throws IOException {
        int httpdPort = FreePort.next();
        int httpdTls = FreePort.next();
        int port = FreePort.next();
        int tls = FreePort.next();
        Path own = Files.createDirectories(folder.resolve(String.valueOf(made.seed())));
        Path conf = Files.writeString(own.resolve("httpd.conf"), text(made, port, tls));
        try (HttpdProcess _ =
                HttpdProcess.startSingle(
                        own, MODULES, text(made, httpdPort, httpdTls), httpdPort)) {
            GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
            List<AccountLine> wrong =
                    plan.failures().stream()
                            .filter(line -> line.verdict() == AccountLine.Verdict.WRONG)
                            .toList();
            if (!wrong.isEmpty()) {
                refused++;
                String first = wrong.getFirst().directive() + ": " + wrong.getFirst().text();
                refusals.merge(first.replaceAll("/tmp/\\S+|\\d+", "…"), 1, Integer::sum);
                return;
            }
            try (MargayServer _ = PlanServer.start(plan, own.resolve("work"))) {
                compared++;
                probe(
                        made,
                        new Agreement(made),
                        new int[] {httpdPort, httpdTls},
                        new int[] {port, tls});
            }
        } catch (HttpdProcess.NotStarted e) {
            invalid++;
            disagreements.add("seed " + made.seed() + " is refused by httpd: " + e.getMessage());
        }
    }

    private String text(AccessCase made, int port, int tls) {
        return made.text()
                .replace("@PORT@", String.valueOf(port))
                .replace("@TLS@", String.valueOf(tls))
                .replace("@PEER@", String.valueOf(peer.httpPort()))
                .replace("@DIR@", site.toString());
    }

    private void probe(AccessCase made, Agreement agreement, int[] httpd, int[] margay)
            throws IOException {
        List<String> lines = new ArrayList<>();
        for (AccessProbe probe : made.probes()) {
            ProbeAnswer theirs = client.send(probe, httpd[0], httpd[1]);
            ProbeAnswer ours = client.send(probe, margay[0], margay[1]);
            if (probe.target().contains(";") && isOfAnotherPath(theirs, ours)) {
                theirs = client.send(probe.withoutParameters(), httpd[0], httpd[1]);
            }
            Verdict verdict = agreement.of(probe, theirs, ours);
            if (verdict == Verdict.LAXER && isServed(probe, theirs, ours, httpd)) {
                verdict = Verdict.REFUSED_OTHERWISE;
            }
            counts.merge(verdict, 1, Integer::sum);
            String line = probe + " => httpd " + theirs + ", margay " + ours;
            switch (verdict) {
                case EQUAL, ANNOUNCED -> {}
                case REFUSED_OTHERWISE ->
                        otherStatuses.merge(
                                theirs.status() + " here " + ours.status(), 1, Integer::sum);
                case STRICTER ->
                        reasons.merge(
                                agreement.reason(probe, theirs, ours).orElseThrow(),
                                1,
                                Integer::sum);
                case UNEXPLAINED, LAXER -> lines.add(verdict + " " + line);
            }
        }
        if (!lines.isEmpty()) {
            disagreements.add("seed " + made.seed() + ":\n  " + String.join("\n  ", lines));
            write(made, lines);
        }
    }

    /// Whether httpd has refused what parameters made another path to it, so that Margay's answer
    /// is to be compared with that for the path without them: one that lets the client in, or asks
    /// users of another realm who they are.
    private static boolean isOfAnotherPath(ProbeAnswer theirs, ProbeAnswer ours) {
        boolean askedElsewhere =
                theirs.status() == 401
                        && ours.status() == 401
                        && !theirs.challenge().equals(ours.challenge());
        return theirs.status() >= 400 && (ours.status() < 400 || askedElsewhere);
    }

    /// Whether a page that Margay alone shows for an error is one that httpd serves to the client
    /// when it asks for it: httpd then went by what it had found out about another path.
    private boolean isServed(AccessProbe probe, ProbeAnswer theirs, ProbeAnswer ours, int[] httpd)
            throws IOException {
        if (ours.status() != theirs.status() || ours.status() < 400) {
            return false;
        }
        String page = ours.content().replaceFirst("^[a-z]+", "");
        boolean served = false;
        for (String path : List.of(page, "/al" + page)) {
            ProbeAnswer asked = client.send(probe.forPage(path), httpd[0], httpd[1]);
            served |= asked.status() == 200 && asked.content().equals(ours.content());
        }
        return served;
    }

    private static void write(AccessCase made, List<String> lines) throws IOException {
        StringBuilder text = new StringBuilder(made.text());
        made.files()
                .forEach((name, content) ->
                        text.append("\n# --- ").append(name).append('\n').append(content));
        lines.forEach(line -> text.append("\n# ").append(line));
        Files.createDirectories(REPORT);
        Files.writeString(REPORT.resolve(made.seed() + ".conf"), text.append('\n'));
    }

    int count(Verdict verdict) {
        return counts.getOrDefault(verdict, 0);
    }

    int compared() {
        return compared;
    }

    /// Configurations that Margay does not start with.
    int refused() {
        return refused;
    }

    /// Configurations that httpd does not start with.
    int invalid() {
        return invalid;
    }

    List<String> disagreements() {
        return disagreements;
    }

    /// Totals, reasons, and what each disagreement is.
    String report() {
        StringBuilder text = new StringBuilder();
        text.append("configurations: ").append(compared).append(" compared, ").append(refused);
        text.append(" refused by margay, ").append(invalid).append(" refused by httpd\n");
        text.append("answers: ").append(counts).append('\n');
        reasons.forEach((reason, n) ->
                text.append("stricter: ").append(reason).append(": ").append(n).append('\n'));
        otherStatuses.forEach((pair, n) ->
                text.append("refused with another status: ")
                        .append(pair)
                        .append(": ")
                        .append(n)
                        .append('\n'));
        refusals.forEach((why, n) ->
                text.append("not started: ").append(why).append(": ").append(n).append('\n'));
        disagreements.forEach(one -> text.append(one).append('\n'));
        return text.toString();
    }

    @Override
    public void close() {
        peer.close();
        Folders.delete(folder);
    }
}
