package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows each rule a source that breaks it and one that keeps it.
///
/// Words that the rules look for are put together here, so that this file keeps them itself.
final class TidyRuleTest {
    private static final String MAIN = "server/src/main/java/io/margay/server/Thing.java";
    private static final String TEST = "server/src/test/java/io/margay/server/ThingTest.java";
    private static final String PROTOCOL = "protocol/src/main/java/io/margay/protocol/Thing.java";

    @ParameterizedTest
    @ValueSource(strings = {"(?:a|b)*", "(a)+x", "(a){2,}", "x(a)*?"})
    void expression_thatRepeatsAGroupNotPossessively_isFound(String regex) {
        assertLines(TidyRule.BOUNDED_EXPRESSIONS, MAIN, searching("\"" + regex + "\""), 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"(?:a|b)*+\"",
                "\"[ab]*\"",
                "\"(a)?(b){2}\"",
                "\"a\\\\)*\"",
                "NAME",
                "A.NAME"
            })
    void expression_thatIsBoundedOrAConstant_isKept(String regex) {
        assertLines(TidyRule.BOUNDED_EXPRESSIONS, MAIN, searching(regex));
    }

    @ParameterizedTest
    @ValueSource(strings = {"given", "rule.regex()", "rule.regex", "regex(of)"})
    void expression_ofOthers_isFound(String given) {
        assertLines(TidyRule.BOUNDED_EXPRESSIONS, MAIN, searching(given), 2);
        assertLines(TidyRule.BOUNDED_EXPRESSIONS, TEST, searching(given));
    }

    private static String searching(String regex) {
        return "class Thing {\n  Pattern p = Pattern.compile(" + regex + ");\n}\n";
    }

    @Test
    void fileLength_over800Lines_isFound() {
        assertLines(TidyRule.FILE_LENGTH, MAIN, "class Thing {\n" + "\n".repeat(799) + "}\n", 0);
    }

    @Test
    void fileLength_of800Lines_isKept() {
        assertLines(TidyRule.FILE_LENGTH, MAIN, "class Thing {\n" + "\n".repeat(798) + "}\n");
    }

    @Test
    void methodLength_over70Lines_isFoundAtItsFirstLine() {
        var source = "class Thing {\n\n    void run() {\n" + "\n".repeat(69) + "    }\n}\n";
        assertLines(TidyRule.METHOD_LENGTH, MAIN, source, 3);
    }

    @Test
    void methodLength_of70LinesAfterALongComment_isKept() {
        var comment = "    /// word\n".repeat(80);
        var source =
                "class Thing {\n" + comment + "    Thing() {\n" + "\n".repeat(68) + "    }\n}\n";
        assertLines(TidyRule.METHOD_LENGTH, MAIN, source);
    }

    @Test
    void methodLength_ofALongInitializer_isFound() {
        var source = "class Thing {\n    static {\n" + "\n".repeat(70) + "    }\n}\n";
        assertLines(TidyRule.METHOD_LENGTH, MAIN, source, 2);
    }

    @Test
    void methodLength_ofAMethodInANestedClass_isFound() {
        var source = "class A {\n class B {\n  void run() {\n" + "\n".repeat(70) + "}}}\n";
        assertLines(TidyRule.METHOD_LENGTH, MAIN, source, 3);
    }

    @Test
    void lineLength_of101Columns_isFound() {
        assertLines(TidyRule.LINE_LENGTH, MAIN, "class A {}\n// " + "x".repeat(98) + "\n", 2);
    }

    @Test
    void lineLength_of100ColumnsOrALongImport_isKept() {
        var source = "import a." + "b".repeat(100) + ";\n// " + "x".repeat(97) + "\n";
        assertLines(TidyRule.LINE_LENGTH, MAIN, source);
    }

    @Test
    void noTabs_withATab_isFound() {
        assertLines(TidyRule.NO_TABS, MAIN, "class A {\n\tint a;\n}\n", 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AbstractThing",
                "ThingImpl",
                "IoUtils",
                "IoUtil",
                "PathHelper",
                "JobManager"
            })
    void bannedNames_ofTopLevelOrNestedTypes_areFound(String name) {
        assertLines(TidyRule.BANNED_NAMES, MAIN, "interface " + name + " {}\n", 1);
        assertLines(TidyRule.BANNED_NAMES, MAIN, "class A {\n record " + name + "() {}\n}\n", 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Abstraction", "Simple", "Utility", "ManagerPage", "Implementor"})
    void bannedNames_thatOnlyResembleOne_areKept(String name) {
        assertLines(TidyRule.BANNED_NAMES, MAIN, "class " + name + " {}\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "System.out.println(1)",
                "System.err.print(1)",
                "java.lang.System.out.flush()",
                "new Exception().printStackTrace()"
            })
    void noConsole_inMainCode_isFound(String call) {
        assertLines(TidyRule.NO_CONSOLE, MAIN, inMethod(call), 2);
    }

    @Test
    void noConsole_stackTraceIntoAWriter_isKept() {
        assertLines(TidyRule.NO_CONSOLE, MAIN, inMethod("new Exception().printStackTrace(page)"));
    }

    @Test
    void noConsole_inTestsAndCommandLine_isKept() {
        var source = inMethod("System.out.println(1)");
        assertLines(TidyRule.NO_CONSOLE, TEST, source);
        assertLines(TidyRule.NO_CONSOLE, "lab/src/main/java/io/margay/lab/Main.java", source);
    }

    @Test
    void noConsole_withinALiteral_isKept() {
        assertLines(TidyRule.NO_CONSOLE, MAIN, inMethod("say(\"System.out.println\")"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Thread.sleep(5)", "java.lang.Thread.sleep(d)"})
    void noSleep_inATest_isFound(String call) {
        assertLines(TidyRule.NO_SLEEP_IN_TESTS, TEST, inMethod(call), 2);
        assertLines(TidyRule.NO_SLEEP_IN_TESTS, MAIN, inMethod(call));
    }

    @Test
    void clock_calledInTheServer_isFound_andAReferenceIsNone() {
        String main = "server/src/main/java/io/margay/server/A.java";
        assertLines(TidyRule.NO_CLOCK_OF_ITS_OWN, main, inMethod("System.nanoTime()"), 2);
        assertLines(TidyRule.NO_CLOCK_OF_ITS_OWN, main, inMethod("use(System::nanoTime)"));
        assertLines(TidyRule.NO_CLOCK_OF_ITS_OWN, TEST, inMethod("System.nanoTime()"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"System.nanoTime()", "java.time.Instant.now()"})
    void time_askedOfTheSystem_isFoundInTheGateway(String call) {
        String file = "gateway/src/main/java/io/margay/gateway/A.java";
        assertLines(TidyRule.NO_CLOCK_OF_ITS_OWN, file, inMethod("use(" + call + ")"), 2);
        assertLines(TidyRule.NO_CLOCK_OF_ITS_OWN, file, inMethod("use(System::nanoTime)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TODO", "FIXME", "TODO: later", "see XXX"})
    void noBareTodo_inAnyComment_isFound(String words) {
        assertLines(TidyRule.NO_BARE_TODO, MAIN, "class A {}\n// " + words + "\n", 2);
        assertLines(TidyRule.NO_BARE_TODO, MAIN, "/* " + words + " */ class A {}\n", 1);
    }

    @Test
    void noBareTodo_withAnIssueOrInALiteral_isKept() {
        var source = "class A { // TODO(#12) faster\n String s = \"// TODO\"; }\n";
        assertLines(TidyRule.NO_BARE_TODO, MAIN, source);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "count = count + 1;",
                "run();",
                "buffer.put((byte) 1);",
                "return x;",
                "break;",
                "if (x > 3) {",
                "} else {",
                "}",
                "});",
                "private int x;",
                "import java.util.List;",
                "int[] a = new int[4];"
            })
    void noCommentedOutCode_withCode_isFound(String code) {
        assertLines(TidyRule.NO_COMMENTED_OUT_CODE, MAIN, "class A {}\n// " + code + "\n", 2);
        assertLines(TidyRule.NO_COMMENTED_OUT_CODE, MAIN, "/*\n " + code + "\n*/ class A {}\n", 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The first one wins; the others are closed.",
                "RFC 9112 section 7.1 (chunked);",
                "Returns here if the peer has gone;",
                "a field-value may hold obs-text;",
                "return to the pool, then go on;",
                "0x80 = more to come",
                "see close() and flush()"
            })
    void noCommentedOutCode_withProse_isKept(String prose) {
        assertLines(TidyRule.NO_COMMENTED_OUT_CODE, MAIN, "class A {}\n// " + prose + "\n");
    }

    @Test
    void noCommentedOutCode_withAnExampleInJavadoc_isKept() {
        assertLines(TidyRule.NO_COMMENTED_OUT_CODE, MAIN, "/// run();\nclass A {}\n");
    }

    @Test
    void noLocks_inProtocol_areFound() {
        var source = inMethod("synchronized (this) {}");
        assertLines(TidyRule.NO_LOCKS_IN_PROTOCOL, PROTOCOL, source, 2);
        assertLines(TidyRule.NO_LOCKS_IN_PROTOCOL, MAIN, source);
    }

    @Test
    void packages_withoutMarkedPackageInfo_areFound() {
        var tree =
                new SourceTree(
                        List.of(
                                new SourceFile("a/src/main/java/x/A.java", "package x; class A {}"),
                                new SourceFile("a/src/main/java/y/B.java", "package y; class B {}"),
                                new SourceFile("a/src/main/java/y/package-info.java", "package y;"),
                                new SourceFile("a/src/main/java/z/C.java", "package z; class C {}"),
                                new SourceFile(
                                        "a/src/main/java/z/package-info.java",
                                        "@NullMarked package z;"),
                                new SourceFile("a/src/test/java/z/CTest.java", "package z;"),
                                new SourceFile("a/src/main/java/module-info.java", "module a {}"),
                                new SourceFile("examples/e/src/main/java/w/D.java", "package w;")));
        assertEquals(
                List.of("a x", "a y"),
                tree.packagesNotNullMarked().stream().map(Violation::path).toList());
    }

    @Test
    void publicShare_countsTopLevelTypes() {
        var file =
                new SourceFile(
                        MAIN, "public class Thing { public class In {} } class B {} enum C {}");
        assertEquals(new PublicShare("server", 1, 3), PublicShare.of("server", List.of(file)));
    }

    @Test
    void publicShare_ofAPackageThatIsNotExported_isNotCounted() {
        var descriptor =
                new SourceFile(
                        "server/src/main/java/module-info.java", "module server { exports seen; }");
        var seen = new SourceFile(MAIN, "package seen; public class Thing {}");
        var hidden = new SourceFile(MAIN, "package seen.hidden; public class Thing {}");
        assertEquals(
                new PublicShare("server", 1, 2),
                PublicShare.of("server", List.of(descriptor, seen, hidden)));
    }

    private static String inMethod(String statement) {
        return "class Thing { void run() {\n" + statement + ";\n}}\n";
    }

    private static void assertLines(TidyRule rule, String path, String source, Integer... lines) {
        var found = rule.check(new SourceFile(path, source)).stream().map(Violation::line);
        assertEquals(List.of(lines), found.toList(), source);
    }
}
