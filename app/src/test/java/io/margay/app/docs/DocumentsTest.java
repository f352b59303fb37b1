package io.margay.app.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.UsageException;
import io.margay.app.command.CommandTables;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern COMMAND =
            Pattern.compile("^(?:[A-Z_]+=\\S+ )*\\./margay (?!lab)([a-z]+)((?: \\S+)*)");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT))\\.(\\w+)`");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)");
    private static final Pattern TOP_LEVEL = Pattern.compile("^(listeners|hosts|upstreams):.*");

    private static final Pattern NAMES = Pattern.compile("(`[\\w.-]+`( \\(-?\\w+\\))?(, )?)+");

    @TempDir Path folder;

    @Test
    void links_leadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Document document : Document.all()) {
            Matcher link = LINK.matcher(document.prose());
            while (link.find()) {
                String target = link.group(1);
                if (!target.matches("[a-z]+:.*") && !leadsSomewhere(document, target)) {
                    broken.add(document + ": " + target);
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    private static boolean leadsSomewhere(Document from, String target) throws IOException {
        int hash = target.indexOf('#');
        String name = hash < 0 ? target : target.substring(0, hash);
        Path file = name.isEmpty() ? from.file() : from.file().resolveSibling(name).normalize();
        if (!Files.exists(file)) {
            return false;
        }
        return hash < 0
                || new Document(file, Files.readAllLines(file))
                        .anchors()
                        .contains(target.substring(hash + 1));
    }

    @Test
    void commands_areMarkedAsSuch_andLeftOutOfTheTestForAReasonAlone() throws IOException {
        assertEquals(List.of(), ShellBlocks.unmarked());
        assertEquals(List.of(), ShellBlocks.unusedReasons());
    }

    @Test
    void pages_areAllInTheIndex() throws IOException {
        TreeSet<String> missing = new TreeSet<>();
        Map<String, String> indices =
                Map.of(
                        "docs/README.md", "docs",
                        "docs/decisions/README.md", "docs/decisions",
                        "docs/reference/configuration.md", "docs/reference/configuration");
        for (Map.Entry<String, String> index : indices.entrySet()) {
            Path file = Document.ROOT.resolve(index.getKey());
            String text = Files.readString(file);
            try (var pages = Files.walk(Document.ROOT.resolve(index.getValue()))) {
                pages.filter(page -> page.toString().endsWith(".md") && !page.equals(file))
                        .map(page -> file.getParent().relativize(page).toString())
                        .filter(page ->
                                index.getValue().equals("docs/reference/configuration")
                                        || !page.startsWith("reference/configuration/"))
                        .filter(page ->
                                !page.startsWith("decisions/") || page.endsWith("README.md"))
                        .filter(page -> !text.contains("](" + page + ")"))
                        .forEach(missing::add);
            }
        }
        assertEquals("[]", missing.toString());
    }

    /// Tables and lists of keys are read at a glance; longer texts stand below them. Lists of names
    /// may be longer.
    @Test
    void cells_ofTheReference_haveAtMost200Characters() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Document document : Document.all()) {
            if (document.toString().startsWith("docs/reference/")) {
                document.prose()
                        .lines()
                        .flatMap(DocumentsTest::cells)
                        .map(String::strip)
                        .filter(cell -> cell.length() > 200 && !NAMES.matcher(cell).matches())
                        .forEach(cell -> wrong.add(document + ": " + cell));
            }
        }
        assertEquals(List.of(), wrong);
    }

    /// The cells of a row, or what a line says of a key behind its value.
    private static Stream<String> cells(String line) {
        if (line.startsWith("|")) {
            return Stream.of(line.split("(?<!\\\\)\\|"));
        }
        int said = line.startsWith("- `") ? line.indexOf("): ") : -1;
        return said < 0 ? Stream.of() : Stream.of(line.substring(said + 3));
    }

    /// A test that a page names shows something only as long as there is such a test.
    @Test
    void tests_thatPagesName_exist() throws IOException {
        Map<String, String> tests = new HashMap<>();
        try (var files = Files.walk(Document.ROOT)) {
            for (Path file : files.filter(DocumentsTest::isTest).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                tests.merge(name, Files.readString(file), String::concat);
            }
        }
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (Document document : Document.all()) {
            Matcher test = TEST.matcher(Files.readString(document.file()));
            while (test.find()) {
                named++;
                String text = tests.getOrDefault(test.group(1), "");
                if (!text.contains("void " + test.group(2) + "(")) {
                    missing.add(document + ": " + test.group());
                }
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(named > 80, named + " tests are named");
    }

    private static boolean isTest(Path file) {
        return file.toString().matches(".*/src/test/java/.*(Test|IT)\\.java");
    }

    @Test
    void figures_ofTheReadme_areThoseOfTheMeasurements() throws IOException {
        Pattern ratios = Pattern.compile("^\\| CPU[^|]*\\| (0\\.[0-9][^|]*?) of");
        Pattern page = Pattern.compile("\\((docs/measurements/[a-z0-9-]+\\.md)(?:#[a-z0-9-]+)?\\)");
        int figures = 0;
        for (String row : Files.readAllLines(Document.ROOT.resolve("README.md"))) {
            Matcher ratio = ratios.matcher(row);
            if (ratio.find()) {
                Matcher named = page.matcher(row);
                String measured =
                        Files.readString(Document.ROOT.resolve("docs/measurements/README.md"));
                if (named.find()) {
                    measured += Files.readString(Document.ROOT.resolve(named.group(1)));
                }
                for (String figure : ratio.group(1).split(", | and ")) {
                    figures++;
                    assertTrue(
                            measured.contains(" " + figure + " (")
                                    || measured.contains("| " + figure + " |"),
                            row);
                }
            }
        }
        assertEquals(9, figures);
    }

    /// What stands behind a command in a column of its own is its explanation.
    @Test
    void commands_areThoseOfTheProgram() throws IOException {
        List<String> wrong = new ArrayList<>();
        int commands = 0;
        for (Document document : Document.all()) {
            for (Document.Block block : document.blocks()) {
                for (String line : block.lines()) {
                    Matcher command = COMMAND.matcher(line.replaceFirst("( {2,}| # | > ).*", ""));
                    if (command.find()) {
                        commands++;
                        check(command.group(1), command.group(2), document + ": " + line, wrong);
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(commands > 20, commands + " commands");
    }

    private static void check(String name, String words, String where, List<String> wrong) {
        for (Command command : CommandTables.all()) {
            if (command.name().equals(name)) {
                try {
                    Arguments.parse(command, List.of(words.strip().split(" +")));
                } catch (UsageException e) {
                    wrong.add(where + ": " + e.getMessage());
                }
                return;
            }
        }
        wrong.add(where + ": no such command");
    }

    /// Fragments are completed; files that are not here do not matter.
    @Test
    void configurations_areValid() throws IOException {
        List<String> wrong = new ArrayList<>();
        int tried = 0;
        for (Document document : Document.all()) {
            for (Document.Block block : document.blocks()) {
                if (block.language().equals("yaml")
                        && block.lines().stream().anyMatch(l -> TOP_LEVEL.matcher(l).matches())) {
                    tried++;
                    problems(block).forEach(problem -> wrong.add(block + ": " + problem));
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(tried > 5, tried + " configurations");
    }

    private List<Problem> problems(Document.Block block) throws IOException {
        String text = String.join("\n", block.lines()) + "\n";
        if (!block.lines().contains("hosts:")) {
            text += "hosts: [{routes: {/: {files: .}}}]\n";
        }
        if (!block.lines().contains("upstreams:")) {
            text += "upstreams: {shop: {members: [{url: \"http://127.0.0.1:1\"}]}}\n";
        }
        Map<String, String> variables = new HashMap<>();
        Matcher variable = VARIABLE.matcher(text);
        while (variable.find()) {
            variables.put(variable.group(1), "some-text-of-more-than-32-characters");
        }
        Path file = Files.writeString(folder.resolve("margay.yaml"), text);
        return ConfigFile.read(file, variables).problems().stream()
                .filter(problem -> !problem.toString().endsWith(" does not exist"))
                .toList();
    }
}
