package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.access.AccessGate;
import io.margay.gateway.access.ServedFolders;
import io.margay.gateway.login.AuthServices;
import io.margay.gateway.login.LoginLimits;
import io.margay.gateway.login.Logins;
import io.margay.gateway.login.OpenIdProvider;
import io.margay.gateway.plan.HostPlan;
import io.margay.gateway.rules.ClientAddress;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.ClientAddresses;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import io.margay.testkit.CorpusFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Reads every configuration of the corpus: which upstream each request goes to, and what the
/// account complains of.
final class CorpusTest {
    private static final Path CORPUS =
            Path.of(
                    System.getProperty("margay.root", ".."),
                    "compat/httpd/src/test/resources/compat");

    private static final Pattern REQUEST =
            Pattern.compile(
                    "(?:([A-Z]+) )?(?:\\[([^:]+): ([^]]+)] )?(?:(https?)://([^/]+))?(/\\S*)"
                            + " => (.+)");

    @TempDir Path folder;

    static List<CorpusFile> corpus() {
        return CorpusFile.all(CORPUS);
    }

    @Test
    void corpus_isLargeEnough() {
        assertTrue(corpus().size() >= 40, () -> corpus().size() + " configurations");
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void configuration_ofTheCorpus_routesAndComplainsAsExpected(CorpusFile file)
            throws IOException {
        Map<String, String> values =
                Map.of(
                        "LISTEN", "8080",
                        "A_AJP", "8009",
                        "B_AJP", "8019",
                        "A_HTTP", "8081",
                        "B_HTTP", "8082",
                        "DIR", folder.toString(),
                        "DIRNAME", folder.toString().replaceAll("[^A-Za-z0-9_.-]+", "-"));
        GatewayPlan plan = GatewayFiles.read(file.write(folder, values), Map.of());
        String prefix = folder + "/";
        assertEquals(
                String.join("\n", file.lines("account", values)),
                plan.failures().stream()
                        .map(line ->
                                (line.verdict().name().toLowerCase(Locale.ROOT)
                                                + " "
                                                + line.place()
                                                + " "
                                                + line.directive())
                                        .replace(prefix, ""))
                        .sorted(CorpusTest::byPlace)
                        .collect(Collectors.joining("\n")),
                () -> plan.failures().toString());
        List<String> found = new ArrayList<>();
        List<String> expected = file.lines("routes", values);
        expected.forEach(line -> found.add(decide(plan, line)));
        assertEquals(String.join("\n", expected), String.join("\n", found));
    }

    private static int byPlace(String one, String other) {
        return Integer.compare(line(one), line(other));
    }

    private static int line(String text) {
        Matcher matcher = Pattern.compile(":(\\d+) ").matcher(text);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /// Knows no users but those of files.
    private static Logins nobody() {
        return new Logins(
                LoginLimits.defaults(),
                Logins.Sources.NONE,
                AuthServices.NONE,
                OpenIdProvider.first(),
                System::nanoTime,
                null);
    }

    /// The line with what happens in place of what is expected.
    private static String decide(GatewayPlan plan, String line) {
        Matcher matcher = REQUEST.matcher(line);
        assertTrue(matcher.matches(), line);
        String scheme = matcher.group(4) == null ? "http" : matcher.group(4);
        String authority = matcher.group(5) == null ? "localhost" : matcher.group(5);
        int colon = authority.indexOf(':');
        int port = colon < 0 ? 8080 : Integer.parseInt(authority.substring(colon + 1));
        String host = colon < 0 ? authority : authority.substring(0, colon);
        Fields.Builder fields = new Fields.Builder();
        if (matcher.group(2) != null) {
            fields.add(matcher.group(2), matcher.group(3));
        }
        String target = matcher.group(6);
        int mark = target.indexOf('?');
        String raw = mark < 0 ? target : target.substring(0, mark);
        HostPlan found = host(plan, host, port);
        RuleRequest request =
                new RuleRequest(
                        matcher.group(1) == null ? "GET" : matcher.group(1),
                        CanonicalPath.of(raw).path(),
                        raw,
                        mark < 0 ? null : target.substring(mark + 1),
                        scheme,
                        host,
                        client(found, fields.build()),
                        port,
                        fields.build());
        AccessGate gate =
                new AccessGate(
                        RuleSet.of(found.rules(), found.changes(), RuleLimits.defaults()),
                        found.access(),
                        ServedFolders.of(
                                found.files().stream()
                                        .map(files ->
                                                new ServedFolders.Mount(
                                                        files.prefix(),
                                                        files.folder(),
                                                        files.pages()))
                                        .toList()),
                        new HtaccessFiles(
                                found.access().folderFiles(),
                                found.files(),
                                found.access().passing(),
                                RuleLimits.defaults(),
                                System::nanoTime),
                        nobody());
        String expected = matcher.group(7);
        boolean withTarget = expected.indexOf(' ') > 0;
        String decision =
                switch (gate.decide(request)) {
                    case RuleDecision.Routes _ -> "-";
                    case RuleDecision.Forward(RuleAction.Forward rule, String to, var _) ->
                            withTarget ? rule.upstream() + " " + to : rule.upstream();
                    case RuleDecision.Redirect(int status, String location) ->
                            status + " " + location;
                    case RuleDecision.Refuse(int status) -> String.valueOf(status);
                    case RuleDecision.NotAllowed(String allow) -> "405 " + allow;
                    case RuleDecision.Challenge(String field) -> "401 " + field;
                    case RuleDecision.Answer(var answer) -> "answered " + answer.status();
                    case RuleDecision.Verify _ -> "verify";
                    case RuleDecision.Again(String again, boolean _) -> "again " + again;
                    case RuleDecision.Other(CanonicalPath other) -> "other " + other;
                    case RuleDecision.Page(RuleAction.Page page) ->
                            ("page " + page.kind() + " " + page.worker()).strip();
                };
        return line.substring(0, matcher.start(7)) + decision;
    }

    /// Where the client is, by what its front ends tell.
    private static String client(HostPlan host, Fields fields) {
        InetSocketAddress remote = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9);
        ClientAddress from = host.changes().client();
        return (from == null ? remote : ClientAddresses.of(from).of(fields, remote))
                .getAddress()
                .getHostAddress();
    }

    /// The host that a server would choose.
    private static HostPlan host(GatewayPlan plan, String name, int port) {
        List<HostPlan> here =
                plan.hosts().stream().filter(host -> host.at().contains("*:" + port)).toList();
        if (here.isEmpty()) {
            here = plan.hosts().stream().filter(host -> host.at().isEmpty()).toList();
        }
        String lower = name.toLowerCase(Locale.ROOT);
        for (HostPlan host : here) {
            for (String pattern : host.names()) {
                if (pattern.equals(lower)
                        || (pattern.startsWith("*.") && lower.endsWith(pattern.substring(1)))) {
                    return host;
                }
            }
        }
        return here.stream().filter(host -> host.names().isEmpty()).findFirst().orElseThrow();
    }
}
