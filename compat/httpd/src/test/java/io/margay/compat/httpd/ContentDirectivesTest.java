package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.SubstitutionRule;
import io.margay.server.compression.Coding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What httpd's files say of compression and of how long clients may keep responses.
final class ContentDirectivesTest {
    @TempDir Path folder;

    private GatewayPlan read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("httpd.conf"), "Listen 8080\n" + text);
        return GatewayFiles.read(List.of(file), Map.of());
    }

    private HostChanges changes(String text) throws IOException {
        return read(text).hosts().getLast().changes();
    }

    private List<String> said(String text, AccountLine.Verdict verdict) throws IOException {
        return read(text).account().stream()
                .filter(line -> line.verdict() == verdict)
                .map(line -> line.place().line() + " " + line.directive())
                .toList();
    }

    @Test
    void filters_compressByTypeAndPath_thoseByTypeLast() throws IOException {
        List<CompressionRule> rules =
                changes(
                                """
                                ProxyPass /app http://127.0.0.1:1/
                                AddOutputFilterByType DEFLATE text/css
                                <Location /all>
                                  SetOutputFilter DEFLATE
                                </Location>
                                DeflateCompressionLevel 3
                                """)
                        .compression();
        assertEquals(new PathMatch.Prefix("/all"), rules.getFirst().match());
        assertEquals(List.of("text/css"), rules.getLast().what().types());
        assertEquals(PathMatch.ANY, rules.getLast().match());
        assertTrue(rules.stream().allMatch(rule -> rule.what().level() == 3));
        assertTrue(rules.stream().allMatch(rule -> rule.what().minBytes() == 0));
    }

    @Test
    void twoFiltersForAType_areAChoiceOfTheClient() throws IOException {
        List<CompressionRule> rules =
                changes(
                                """
                                ProxyPass /app http://127.0.0.1:1/
                                AddOutputFilterByType BROTLI_COMPRESS text/css text/plain
                                AddOutputFilterByType DEFLATE text/css
                                """)
                        .compression();
        assertEquals(
                List.of(List.of(Coding.BROTLI), List.of(Coding.GZIP)),
                rules.stream().map(rule -> rule.what().codings()).toList());
    }

    @Test
    void filtersThatDoNotCompress_areNamed() throws IOException {
        assertEquals(
                List.of(
                        "3 SetOutputFilter",
                        "4 AddOutputFilterByType",
                        "5 DeflateAlterETag",
                        "7 AddOutputFilterByType",
                        "8 Substitute"),
                said(
                        """
                        ProxyPass /app http://127.0.0.1:1/
                        SetOutputFilter INCLUDES;DEFLATE
                        AddOutputFilterByType INFLATE;SUBSTITUTE;DEFLATE text/html
                        DeflateAlterETag NoChange
                        Substitute s|a|b|
                        AddOutputFilterByType SUBSTITUTE text/html
                        Substitute s/x*/y/
                        """,
                        AccountLine.Verdict.CHANGED));
    }

    @Test
    void substitutions_stayInTheOrderOfTheirSection_andAreNoneWithoutTheFilter()
            throws IOException {
        String lines =
                """
                ProxyPass /app http://127.0.0.1:1/
                <Location /a>
                  Substitute "s|x|$1/|qi"
                  Substitute s/a/b
                  SubstituteMaxLineLength 2k
                  SubstituteInheritBefore on
                </Location>
                """;
        assertEquals(List.of(), changes(lines).substitutions());
        HostChanges changes = changes(lines + "AddOutputFilterByType SUBSTITUTE text/css\n");
        SubstitutionRule.Lines said =
                new SubstitutionRule.Lines(
                        List.of(
                                new SubstitutionRule.Replacement("x", "$1/", false, true, true),
                                new SubstitutionRule.Replacement("a", "b", false, false, false)),
                        SubstitutionRule.Inherited.FIRST,
                        2048);
        assertEquals(
                List.of(
                        new SubstitutionRule.Responses(List.of(), "by-type"),
                        new SubstitutionRule.Responses(List.of("text/css"), "by-type"),
                        said),
                changes.substitutions().stream().map(SubstitutionRule::what).toList());
    }

    @Test
    void substitutions_thatAreMalformed_areWrong() throws IOException {
        assertEquals(
                List.of("2 Substitute", "3 Substitute", "4 Substitute", "5 Substitute"),
                said(
                                """
                                Substitute x/a/b/
                                Substitute s//b/
                                Substitute s/a/b/g
                                Substitute s/(/b/
                                SubstituteMaxLineLength 0
                                SubstituteInheritBefore maybe
                                """,
                                AccountLine.Verdict.WRONG)
                        .subList(0, 4));
    }

    @Test
    void rateLimit_sendsAsSlowlyAsItsVariablesSay_untilAnotherFilterTakesItsPlace()
            throws IOException {
        HostChanges changes =
                changes(
                        """
                        ProxyPass /app http://127.0.0.1:1/
                        SetEnv rate-limit 400
                        SetOutputFilter RATE_LIMIT;DEFLATE
                        <Location /fast>
                          SetOutputFilter DEFLATE
                        </Location>
                        """);
        BandwidthRule.Speed named = new BandwidthRule.Named("rate-limit", "rate-initial-burst");
        assertEquals(
                List.of(
                        new BandwidthRule(
                                new PathMatch.Prefix("/fast"),
                                List.of(),
                                new BandwidthRule.Fixed(0, 0)),
                        new BandwidthRule(PathMatch.ANY, List.of(), named)),
                changes.bandwidth());
        assertEquals("rate-limit", changes.variables().getFirst().name(), "it is kept");
        assertEquals(
                List.of(),
                changes("ProxyPass / http://127.0.0.1:1/\nSetOutputFilter DEFLATE\n").bandwidth());
    }

    @ParameterizedTest
    @CsvSource({
        "access plus 1 month, ACCESS, 2592000",
        "now plus 2 hours 5 min, ACCESS, 7500",
        "modification 1 year, MODIFIED, 31536000",
        "A3600, ACCESS, 3600",
        "M60, MODIFIED, 60",
    })
    void times_areThoseOfModExpires(String text, ExpiryRule.Base base, long seconds)
            throws IOException {
        String conf = "ProxyPass / http://127.0.0.1:1/\nExpiresActive On\nExpiresDefault \"";
        ExpiryRule rule = changes(conf + text + "\"\n").expiry().getLast();
        assertEquals(base, rule.base());
        assertEquals(seconds, rule.seconds());
    }

    @Test
    void expiry_thatIsNotActive_isNone() throws IOException {
        String conf = "ProxyPass / http://127.0.0.1:1/\nExpiresByType image/png A5\n";
        assertEquals(
                List.of(ExpiryRule.Base.INACTIVE, ExpiryRule.Base.ACCESS),
                changes(conf).expiry().stream().map(ExpiryRule::base).toList());
        String there = "<Location /a>\nExpiresActive On\n</Location>\n";
        assertEquals(
                ExpiryRule.of(new PathMatch.Prefix("/a"), List.of(), true),
                changes(conf + there).expiry().getLast());
    }

    @Test
    void whatIsNoTime_isWrong() throws IOException {
        assertEquals(
                List.of("2 ExpiresDefault", "3 ExpiresByType", "4 ExpiresActive"),
                said(
                        """
                        ExpiresDefault "tomorrow"
                        ExpiresByType text/html access plus 1 fortnight
                        ExpiresActive Maybe
                        """,
                        AccountLine.Verdict.WRONG));
    }
}
