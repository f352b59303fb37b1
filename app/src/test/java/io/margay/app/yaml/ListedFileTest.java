package io.margay.app.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.yaml.YamlNode.Field;
import io.margay.app.yaml.YamlNode.Fields;
import io.margay.app.yaml.YamlNode.Items;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A file that is read in parts is what the library makes of the whole, or is left to it.
final class ListedFileTest {
    private static final Environment VARIABLES = new Environment(Map.of("PORT", "8080"));
    private static final String PLAIN =
            """
            work: /var/margay
            # hosts
            hosts:
              - name: a.example
                routes: {/: {files: www}}

              - name: b.example # second
                aliases: [c, 'd e']
                routes:
                  /x:
                    proxy: "http://127.0.0.1:${PORT}"
            listeners:
              - http: 80
            """;

    /// What is put into a plain file, at a place by chance.
    private static final List<String> HOSTILE =
            List.of(
                    "\t",
                    "\r",
                    "\r\n",
                    "\n",
                    "\u0085",
                    "\u2028",
                    "\u2029",
                    "\u0000",
                    "\u0007",
                    "\u007f",
                    "\uFEFF",
                    "\u00a0",
                    "\uD800",
                    "\uD83D\uDE00",
                    "é",
                    "&a ",
                    "*a",
                    "<<: *a",
                    "<<: {b: c}",
                    "!!str ",
                    "!t ",
                    "---\n",
                    "\n---\n",
                    "\n...\n",
                    "\n%YAML 1.1\n",
                    "\n%TAG ! x\n",
                    "? ",
                    "? [a]\n: b",
                    "|\n",
                    ">-\n",
                    "|1+\n",
                    "'",
                    "\"",
                    "\\",
                    "{",
                    "}",
                    "[",
                    "]",
                    ",",
                    ":",
                    ": ",
                    " #",
                    "#",
                    "- ",
                    "-",
                    "\n- x\n",
                    "\n  - x\n",
                    "hosts:\n",
                    "\nhosts:\n",
                    "\nhosts: []\n",
                    "name: x\n",
                    "~",
                    "=",
                    "@",
                    "`",
                    "%",
                    "null",
                    "${",
                    "${NONE}",
                    "${PORT}",
                    "\n    ",
                    "\n  ",
                    "\n#\r",
                    "a: &b c\n",
                    "[[[[",
                    "{{{{");

    private static @Nullable YamlNode whole(String text) {
        List<Problem> problems = new ArrayList<>();
        YamlNode node = new YamlParser("f", VARIABLES, problems).parse(text);
        return problems.isEmpty() ? node : null;
    }

    private static @Nullable Fields parts(String text) {
        ListedFile file = ListedFile.of("f", text, "hosts", VARIABLES);
        return file == null ? null : file.read(new KnownEntries("hosts"));
    }

    /// The list where it stands in the whole, for a list in parts has the place of its key.
    private static Fields joined(Fields parts, Fields whole) {
        List<Field> all = new ArrayList<>();
        for (int i = 0; i < parts.fields().size(); i++) {
            Field field = parts.fields().get(i);
            if (field.value() instanceof YamlNode.Listed(_, List<ListedFile.Read> entries)) {
                assertTrue(whole.fields().size() > i);
                Items same = (Items) whole.fields().get(i).value();
                List<YamlNode> nodes = new ArrayList<>();
                for (ListedFile.Read one : entries) {
                    assertNotNull(one.node());
                    nodes.add(one.node());
                }
                all.add(
                        new Field(
                                field.position(), field.key(), new Items(same.position(), nodes)));
            } else {
                all.add(field);
            }
        }
        return new Fields(parts.position(), all);
    }

    private static boolean agrees(String text, String why) {
        Fields parts = parts(text);
        if (parts == null) {
            return false;
        }
        YamlNode whole = whole(text);
        assertTrue(whole instanceof Fields, () -> "only the parts are read, " + why + ":\n" + text);
        assertEquals(whole, joined(parts, (Fields) whole), () -> why + ":\n" + text);
        return true;
    }

    @Test
    void plainFile_isReadInParts_asTheLibraryReadsIt() {
        assertTrue(agrees(PLAIN, "plain"));
    }

    @Test
    void entries_inWhichMoreOfYamlStands_areReadAsTheLibraryReadsThem() {
        for (String entry :
                List.of(
                        "name: é",
                        "name: \"a\\u00e9\"",
                        "name: |\n      text\n      # no comment\n",
                        "name: >\n      x\n",
                        "{name: a,\n     b: c}",
                        "? name\n    : a",
                        "!!map {name: a}",
                        "<<: {name: a}",
                        "name: a\n     b\n     c")) {
            assertTrue(agrees("hosts:\n  - " + entry + "\n  - name: z\nwork: x\n", entry), entry);
        }
    }

    @Test
    void whatGoesBeyondOneEntry_isLeftToTheLibrary() {
        for (String text :
                List.of(
                        "hosts:\n- &x name: a\n- *x\n",
                        "base: &x {a: b}\nhosts:\n- <<: *x\n  name: a\n",
                        "hosts:\n- name: a\n---\nwork: x\n",
                        "hosts:\n- name: a\n...\n",
                        "--- # one\nhosts:\n- name: a\n",
                        "%YAML 1.2\n---\nhosts:\n- name: a\n",
                        "\uFEFFhosts:\n- name: a\n",
                        "hosts:\n- name: a\n- name: b\nhosts:\n- name: c\n",
                        "hosts:\n- name: a\n  name: b\n",
                        "hosts:\n- name: \"a\n- name: b\"\n",
                        "hosts:\n-\tname: a\n",
                        "hosts:\n- name: a\n\t- name: b\n",
                        "hosts:\r\n- name: a\r\n",
                        "work: \"\nhosts:\n- name: a\n\"\n",
                        "work: [\nhosts:\n- name: a\n]\n")) {
            assertNull(parts(text), text);
        }
    }

    @Test
    void linesBeforeTheFirstEntry_hideNothing() {
        for (String between :
                List.of("#\r- name: b\n", "# \u0007\n", "#\r", "# \u0000\n", "#\uD800\n")) {
            String text = "hosts:\n" + between + "- name: a\n";
            boolean same = agrees(text, "between");
            assertFalse(same, text);
        }
        assertTrue(agrees("hosts:\n# why\n\n- name: a\n", "a comment"));
    }

    @Test
    void nestingAtTheLimit_isThatOfTheWhole() {
        for (String leaf : List.of("x", "é", "'x'")) {
            for (int depth = YamlParser.DEPTH_MAX - 6; depth <= YamlParser.DEPTH_MAX + 2; depth++) {
                String text = "hosts:\n- " + "[".repeat(depth) + leaf + "]".repeat(depth) + "\n";
                assertEquals(whole(text) != null, agrees(text, "depth " + depth), text);
            }
        }
        String bomb = "hosts:\n- " + "[".repeat(100_000) + "\n";
        assertNull(parts(bomb));
    }

    /// Billions of values by a few lines: aliases are not followed in parts, and not without end.
    @Test
    void bombOfAliases_isRefused() {
        StringBuilder text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 9; i++) {
            String alias = "*a" + (i - 1);
            text.append(
                    "a%d: &a%d [%s]\n"
                            .formatted(
                                    i,
                                    i,
                                    String.join(
                                            ",",
                                            List.of(
                                                    alias, alias, alias, alias, alias, alias, alias,
                                                    alias, alias))));
        }
        String frame = text + "hosts:\n- name: a\n";
        assertNull(parts(frame));
        assertNull(whole(frame));
    }

    @Test
    void fileMadeHostileByChance_isNeverReadOtherwise() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(PLAIN);
            int changes = 1 + random.nextInt(3);
            for (int j = 0; j < changes; j++) {
                int at = random.nextInt(text.length() + 1);
                int cut = random.nextInt(4) == 0 ? random.nextInt(12) : 0;
                String put = HOSTILE.get(random.nextInt(HOSTILE.size()));
                text.replace(at, Math.min(text.length(), at + cut), put);
            }
            read += agrees(text.toString(), "seed " + seed) ? 1 : 0;
        }
        assertTrue(read > 1_000, read + " were read in parts");
    }
}
