package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Holds the whole source tree to the rules of style. That each rule can fail is the matter of
/// [TidyRuleTest].
final class TidyTest {
    private static final int PUBLIC_PERCENT_MAX = 40;

    private static final SourceTree TREE = SourceTree.ofThisCheckout();

    @Test
    void sourceTree_holdsThisFile() {
        assertTrue(
                TREE.files().stream().anyMatch(file -> file.name().equals("TidyTest.java")),
                "the sources were not found; is the property margay.root right?");
    }

    @ParameterizedTest
    @EnumSource(TidyRule.class)
    void sources_keepTheRule(TidyRule rule) {
        assertNone(TREE.files().stream().flatMap(file -> rule.check(file).stream()).toList());
    }

    @Test
    void packages_areNullMarked() {
        assertNone(TREE.packagesNotNullMarked());
    }

    @Test
    void exemptions_nameFilesThatExist() {
        var names = TREE.files().stream().map(SourceFile::name).collect(Collectors.toSet());
        assertEquals(
                List.of(),
                TidyRule.DATA_TABLES.stream().filter(name -> !names.contains(name)).toList());
    }

    @Test
    void publicShare_ofAllModules_isWithinItsLimit() {
        var shares = TREE.publicShares();
        var all = PublicShare.sum("all", shares);
        shares.forEach(System.out::println);
        assertTrue(all.percent() <= PUBLIC_PERCENT_MAX, all.toString());
    }

    private static void assertNone(List<Violation> violations) {
        assertEquals(
                "", violations.stream().map(Violation::toString).collect(Collectors.joining("\n")));
    }
}
