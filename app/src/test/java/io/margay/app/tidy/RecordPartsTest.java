package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Holds records to as many components as can be told apart where they are built. What has more is
/// named here with its count; whoever nests what belongs together, or builds it by names, lowers
/// the count or takes it out, so that the lists only shrink.
final class RecordPartsTest {
    private static final String MAIN = "server/src/main/java/io/margay/server/Thing.java";
    private static final String TEST = "server/src/test/java/io/margay/server/ThingTest.java";

    /// Module, record, components.
    private static final String WIDE_RECORDS =
            """
            app DeployOptions 13
            app HostSettings 13
            app ManagedServer.App 13
            app MargayConfig 15
            app UpstreamReading.Member 18
            compat/tomcat ContextSettings 12
            compat/tomcat ForwardingRules 14
            embedding/embed Activity.Traffic 13
            embedding/embed ServerPlan 14
            embedding/spring-boot MargayServerProperties 23
            extensions/acme CertificateState 12
            extensions/login-oidc OidcLimits 18
            gateway AccessRules 17
            gateway DiscoveryLimits 11
            gateway HealthConfig 11
            gateway HostChanges 13
            gateway LoginLimits 10
            gateway OpenIdClient 11
            gateway PeerLimits 13
            gateway ProxyRules 18
            gateway RequestLimit 10
            gateway RuleRequest 12
            gateway ShieldLimits 13
            gateway ShieldSettings 11
            gateway UpstreamConfig 15
            lab LabOptions 16
            lab LoadJob 16
            lab LoadResult 12
            lab PressureReport.Seen 11
            lab RunResult 12
            lab Scenario 11
            lab Setting 10
            protocol CgiRequest 15
            protocol Http2Limits 18
            server AcmeLimits 12
            server HttpLimits 19
            server ServerStats.Reading 12
            server SharedLimits 11
            server StapleLimits 10
            server StaticFilesConfig 11
            servlet DeploySettings 12
            servlet EngineReading 10
            servlet SharedSessionLimits 15
            servlet WebAppDescriptor.JspGroup 13
            servlet WebAppSettings 23
            transport TlsConfig 11
            """;

    /// Class, calls by position from other files.
    private static final String LONG_CALLS =
            """
            PeerRequest 1
            """;

    private static RecordParts parts;

    @BeforeAll
    static void readMainSources() {
        SortedMap<String, String> texts = SourceTree.texts();
        texts.keySet().removeIf(path -> !path.contains("/src/main/"));
        parts = RecordParts.of(SourceFile.all(texts));
    }

    @Test
    void records_haveNoMoreComponentsThanCanBeToldApart_butThoseNamed() {
        assertEquals(WIDE_RECORDS, lines(parts.records()));
    }

    @Test
    void objects_areNotBuiltOfManyPartsByPosition_butThoseNamed() {
        assertEquals(LONG_CALLS, lines(parts.calls()));
    }

    @Test
    void wideRecord_isFoundWithItsCount_alsoInsideAClass() {
        String nine = "record Nine(int a, int b, int c, int d, int e, int f, int g, int h, int i)";
        String ten = nine.replace("Nine", "Ten").replace(")", ", int j)");
        String text = "class Thing { " + nine + " { static int k; } " + ten + " {} }";
        assertEquals(
                Map.of("server Thing.Ten", 10),
                RecordParts.of(List.of(new SourceFile(MAIN, text))).records());
        assertEquals(Map.of(), RecordParts.of(List.of(new SourceFile(TEST, text))).records());
    }

    @Test
    void longCall_isFoundWhereTheClassIsAnothers() {
        String other = "class Other { Other all() { return new Other(1, 2, 3, 4, 5, 6, 7, 8); } }";
        String seven = "new Other(1, 2, 3, 4, 5, 6, 7)";
        String eight = "new a.Other<Integer>(1, 2, 3, 4, 5, 6, 7, 8)";
        String foreign = "new Foreign(1, 2, 3, 4, 5, 6, 7, 8)";
        String text =
                "class Thing { Object[] all = {"
                        + String.join(", ", seven, eight, foreign)
                        + "}; }";
        assertEquals(
                Map.of("Other", 1),
                RecordParts.of(
                                List.of(
                                        new SourceFile(MAIN, text),
                                        new SourceFile(MAIN.replace("Thing", "Other"), other)))
                        .calls());
    }

    private static String lines(Map<String, Integer> counts) {
        StringBuilder lines = new StringBuilder();
        new TreeMap<>(counts)
                .forEach((name, count) -> lines.append(name + " " + count).append('\n'));
        return lines.toString();
    }
}
