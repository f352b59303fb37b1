package io.margay.app.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PlainYamlTest {
    private static final Environment VARIABLES = new Environment(Map.of("PORT", "8080"));
    private static final List<String> WORDS =
            List.of(
                    "a",
                    "name",
                    "/",
                    "/shop/*",
                    "www",
                    "true",
                    "10s",
                    "~",
                    "null",
                    "a b",
                    "a#b",
                    "a #b",
                    "h1.example",
                    "http://a/b",
                    "a:b",
                    "'*.x'",
                    "\"q\"",
                    "'it''s'",
                    "\"e\\n\"",
                    "${PORT}",
                    "${NONE}",
                    "a: b",
                    "{ a: b }",
                    "[a, b]",
                    "{}",
                    "[]",
                    "{ a: { b: c }, d: [e] }",
                    "*x",
                    "&x a",
                    "!t a",
                    "|",
                    ">",
                    "-",
                    "- a",
                    "- - a",
                    "a,b",
                    "{a: b}",
                    "{a: 'b', c}",
                    "[a: b]",
                    "{a:b}",
                    "[a,]",
                    "",
                    " ",
                    "? a",
                    "é",
                    "<<",
                    "a :b",
                    "a : b",
                    "'a': b",
                    "\"a\":b",
                    "-1",
                    "@a",
                    "%a",
                    "a]",
                    "a}");

    /// What the library makes of it, or null where it is wrong or several entries.
    private static @Nullable YamlNode byLibrary(String text, int line) {
        List<Problem> problems = new ArrayList<>();
        YamlNode node = new YamlParser("f", VARIABLES, problems, 0, line - 1).parse(text);
        return problems.isEmpty()
                        && node instanceof YamlNode.Items(_, List<YamlNode> items)
                        && items.size() == 1
                ? items.getFirst()
                : null;
    }

    private static PlainYaml.@Nullable Entry read(String text) {
        char[] all = ("x" + text + "y").toCharArray();
        return PlainYaml.entry("f", all, 1, 1 + text.length(), 7, VARIABLES);
    }

    @Test
    void entry_asFilesHaveIt_isReadAsByTheLibrary() {
        for (String text :
                List.of(
                        "- name: a\n",
                        "  - name: h1.example\n    routes:\n"
                                + "      /: { files: www, dot-files: true }\n",
                        "- name: a\n  aliases: [b, '*.c']\n  # why\n  routes:\n"
                                + "    /: # root\n      files: x y\n\n",
                        "- name: a\n  rules:\n  - path: /a\n    to: b\n"
                                + "  - { path: /b, to: c }\n  at: x\n",
                        "  - name: a\n    list:\n      - - a\n        - b\n"
                                + "      - c: d\n        e: ${PORT}",
                        "-   name: \"a\"\n    'routes': {}\n")) {
            PlainYaml.Entry read = read(text);
            assertNotNull(read, text);
            assertEquals(byLibrary(text, 7), read.node(), text);
        }
    }

    @Test
    void entry_withMoreOfYaml_isLeftToTheLibrary() {
        for (String text :
                List.of(
                        "- name: &a b\n",
                        "- name: |\n    text\n",
                        "- name: a\n    b\n",
                        "- name:\n  b: c\n",
                        "- name: a\n  name: b\n",
                        "- name: \"a\n    b\"\n",
                        "- name: a\n\tb: c\n",
                        "- name: a\n   b: c\n",
                        "- name: ${NONE}\n",
                        "- name: a\n- name: b\n")) {
            assertNull(read(text), text);
        }
    }

    /// Texts made by chance: what is read is what the library reads, to the position.
    @Test
    void entry_madeByChance_isNeverReadOtherwise() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int plain = 0;
        for (int i = 0; i < 20_000; i++) {
            String text = made(random);
            PlainYaml.Entry read = read(text);
            if (read != null) {
                plain++;
                assertEquals(byLibrary(text, 7), read.node(), "seed " + seed + ":\n" + text);
            }
        }
        assertTrue(plain > 1_000, plain + " were plain");
    }

    private static String made(SplittableRandom random) {
        int indent = random.nextInt(3);
        StringBuilder text = new StringBuilder(" ".repeat(indent)).append("- ");
        int column = indent + 2;
        boolean fresh = true;
        int lines = 1 + random.nextInt(6);
        for (int i = 0; i < lines; i++) {
            if (!fresh) {
                int shift = random.nextInt(10);
                column += shift < 3 && i > 1 ? (random.nextInt(3) - 1) * 2 : shift == 9 ? 1 : 0;
                text.append(" ".repeat(Math.max(0, column)));
            }
            fresh = false;
            if (random.nextInt(8) == 0) {
                text.append("- ");
            }
            text.append(word(random));
            if (random.nextInt(8) > 0) {
                text.append(random.nextInt(20) == 0 ? ":" : ": ");
                if (random.nextInt(4) > 0) {
                    text.append(word(random));
                } else if (random.nextBoolean()) {
                    column += random.nextInt(3);
                }
            }
            text.append(random.nextInt(10) == 0 ? " # c\n" : "\n");
            if (random.nextInt(10) == 0) {
                text.append(random.nextBoolean() ? "\n" : "# c\n");
            }
        }
        return text.toString();
    }

    private static String word(SplittableRandom random) {
        int plain = random.nextInt(3) == 0 ? WORDS.size() : 5;
        String word = WORDS.get(random.nextInt(plain));
        return random.nextInt(3) == 0 ? word + random.nextInt(9) : word;
    }
}
