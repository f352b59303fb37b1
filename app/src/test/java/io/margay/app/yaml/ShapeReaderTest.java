package io.margay.app.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ShapeReaderTest {
    private static final Section INNER =
            new Section(
                    "an inner",
                    List.of(
                            optional("one", Shape.text("a text")),
                            optional("two", Shape.text("a text"))),
                    List.of("one", "two"));
    private static final Section ROOT =
            new Section(
                    "the file",
                    List.of(
                            required("name", Shape.text("a name")),
                            optional("port", Shape.whole(1, 99)),
                            optional("time", Shape.duration()),
                            optional("size", Shape.bytes(0, 1 << 20)),
                            optional("flag", Shape.flag()),
                            optional("kind", Shape.choice(List.of("nio", "native"))),
                            optional("inners", new Items("inners", INNER, 1))),
                    List.of());

    private static Shape.Key required(String name, Shape shape) {
        return new Shape.Key(name, () -> shape, true, () -> "", "", List.of());
    }

    private static Shape.Key optional(String name, Shape shape) {
        return required(name, shape).orAbsent("");
    }

    private final List<Problem> problems = new ArrayList<>();

    private Settings read(String text) {
        Optional<Settings> settings =
                ShapeReader.parse(text, "f.yaml", ROOT, Map.of("P", "7"), problems);
        return settings.orElseThrow();
    }

    private List<String> problemsOf(String text) {
        ShapeReader.parse(text, "f.yaml", ROOT, Map.of("P", "7"), problems);
        return problems.stream().map(Problem::toString).toList();
    }

    @Test
    void document_thatFits_givesTypedValues() {
        Settings settings =
                read("name: x\nport: 8\ntime: 500ms\nsize: 8KiB\nflag: true\nkind: nio\n");
        assertEquals(List.of(), problems);
        assertEquals(Optional.of("x"), settings.text("name"));
        assertEquals(Optional.of(8L), settings.get("port", Long.class));
        assertEquals(Optional.of(Duration.ofMillis(500)), settings.duration("time"));
        assertEquals(Optional.of(8192L), settings.get("size", Long.class));
        assertEquals(Optional.of(true), settings.get("flag", Boolean.class));
    }

    @Test
    void variable_inNumber_isTakenAsNumber() {
        assertEquals(Optional.of(7L), read("name: x\nport: ${P}\n").get("port", Long.class));
        assertEquals(Optional.of(7L), read("name: x\nport: \"${P}\"\n").get("port", Long.class));
        assertEquals(List.of(), problems);
    }

    @Test
    void unknownKey_isReportedWithPlaceAndNearest() {
        assertEquals(
                List.of("f.yaml:2:1: unknown key \"prot\" in the file; did you mean \"port\"?"),
                problemsOf("name: x\nprot: 8\n"));
    }

    @Test
    void unknownKey_farFromAll_isReportedWithAllKeys() {
        String problem = problemsOf("name: x\nzzzzzzz: 8\n").getFirst();
        assertTrue(
                problem.endsWith("valid are: name, port, time, size, flag, kind, inners"), problem);
    }

    @Test
    void problems_inOneFile_areReportedTogether() {
        List<String> found =
                problemsOf(
                        """
                        port: many
                        time: 5
                        size: 2GiB
                        flag: yes
                        kind: nioo
                        inners: [{one: a, two: b}, {}]
                        """);
        assertEquals(
                List.of(
                        "f.yaml:1:7: \"port\" must be a whole number from 1 to 99, not \"many\"",
                        "f.yaml:2:7: \"time\" must be a time with its unit, such as 500ms, 30s, 5m,"
                                + " 2h, not \"5\"",
                        "f.yaml:3:7: \"size\" must be a number of bytes, such as 8192, 8KiB, 2MiB,"
                                + " not \"2GiB\": it must be at most 1048576",
                        "f.yaml:4:7: \"flag\" must be true or false, not \"yes\"",
                        "f.yaml:5:7: \"kind\" must be one of nio, native, not \"nioo\"; did you"
                                + " mean \"nio\"?",
                        "f.yaml:6:10: an inner can have only one of the keys one, two",
                        "f.yaml:6:28: an inner needs one of the keys one, two",
                        "f.yaml:1:1: the file needs the key \"name\""),
                found);
    }

    @Test
    void value_ofWrongKind_isReported() {
        assertEquals(
                List.of(
                        "f.yaml:1:7: \"name\" must be a name, not a list",
                        "f.yaml:2:6: \"port\" must be a whole number from 1 to 99, not nothing",
                        "f.yaml:3:9: \"inners\" must be a list of inners, not \"x\""),
                problemsOf("name: [a]\nport:\ninners: x\n"));
    }

    @Test
    void key_givenTwice_isReported() {
        assertEquals(
                List.of("f.yaml:3:1: the key \"name\" was given before, in line 1"),
                problemsOf("name: x\nport: 1\nname: y\n"));
    }

    @Test
    void variable_notSet_isReportedOnce() {
        List<String> found = problemsOf("name: x\nport: ${NONE}\n");
        assertEquals(1, found.size(), found.toString());
        assertTrue(found.getFirst().startsWith("f.yaml:2:7: "), found.toString());
    }

    @Test
    void syntaxError_isReportedWithPlace() {
        List<String> found = problemsOf("name: x\nport: [1\nkind: nio\n");
        assertEquals(1, found.size());
        assertTrue(found.getFirst().startsWith("f.yaml:3:"), found.toString());
        assertTrue(found.getFirst().contains("is not valid YAML"), found.toString());
    }

    @Test
    void variable_inFlowSection_getsHint() {
        String found = problemsOf("name: x\ninners: [{one: ${P}}]\n").getFirst();
        assertTrue(found.contains("quotes"), found);
    }

    @Test
    void tag_ofJavaClass_constructsNothing() {
        List<String> found = problemsOf("name: !!javax.script.ScriptEngineManager [x]\n");
        assertEquals(List.of("f.yaml:1:7: \"name\" must be a name, not a list"), found);
    }

    @Test
    void aliases_thatMultiply_areLimited() {
        assertTrue(problemsOf(bomb(5, 9)).getFirst().contains("more than"), problems.toString());
        problems.clear();
        assertTrue(problemsOf(bomb(10, 10)).getFirst().contains("aliases"), problems.toString());
    }

    private static String bomb(int width, int levels) {
        StringBuilder bomb = new StringBuilder("name: x\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i <= levels; i++) {
            bomb.append("a").append(i).append(": &a").append(i).append(" [");
            bomb.append(("*a" + (i - 1) + ", ").repeat(width)).append("x]\n");
        }
        return bomb.toString();
    }

    @Test
    void nesting_withoutEnd_isLimited() {
        String found = problemsOf("name: " + "[".repeat(500_000)).getFirst();
        assertTrue(found.contains("nested") || found.contains("is not valid YAML"), found);
        problems.clear();
        String closed = problemsOf("name: " + "[".repeat(100) + "]".repeat(100)).getFirst();
        assertTrue(closed.contains("nested deeper"), closed);
    }

    @Test
    void alias_ofItself_isRefused() {
        List<String> found = problemsOf("name: &a [*a]\n");
        assertTrue(!found.isEmpty());
    }

    @Test
    void emptyDocument_lacksItsRequiredKeys() {
        assertEquals(
                List.of("f.yaml:1:1: the file needs the key \"name\""), problemsOf("# nothing\n"));
    }
}
