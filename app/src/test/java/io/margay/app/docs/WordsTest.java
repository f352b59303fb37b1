package io.margay.app.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.cli.Command;
import io.margay.app.cli.Help;
import io.margay.app.command.CommandTables;
import io.margay.app.tidy.Modules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Words and sentences that documents, help and messages do not have, as `glossary.md` says. The
/// list grows as texts are mended.
final class WordsTest {
    /// What must not appear, and what to write instead.
    private static final Map<Pattern, String> FORBIDDEN =
            Map.ofEntries(
                    entry("\\b[Ww]hoever\\b", "anyone who, every client"),
                    entry("\\b(of|by) chance\\b", "random, at random"),
                    entry("\\bWhat is more\\b", "Requests above the limit"),
                    entry("\\b[Ss]eldom\\b", "rarely"),
                    entry("\\b[Ll]astly\\b", "finally"),
                    entry("\\b[Tt]hat which\\b", "what"),
                    entry("\\b(is|are|was|were) away\\b", "is unreachable"),
                    entry("\\btakes? the place of\\b", "replaces"),
                    entry("\\bleave \\S+ away\\b", "leave … out"),
                    entry("\\bengines? of sessions\\b", "session store"),
                    entry("\\bcounts? as away\\b", "counts as unreachable"),
                    entry("\\b(its|their) (kin|like)\\b", "similar ones"),
                    entry("\\bfor ever\\b", "without limit, indefinitely"),
                    entry("\\bof no use\\b", "unusable"),
                    entry("\\bin force\\b", "active, applied"),
                    entry("\\b(surroundings|manners)\\b", "environment, kinds"),
                    entry("\\bdo(es)? not come to\\b", "a verb"),
                    entry("\\banew\\b", "again"),
                    entry("\\bfor want of\\b", "because … is missing"),
                    entry("\\b(is|are|was|were) told of\\b", "gets, learns"),
                    entry("\\btells? of\\b", "reports, shows"),
                    entry("\\bbelieved\\b", "trusted"),
                    entry("\\btold apart\\b", "distinguished"),
                    entry("\\b(is|are|was|were) looked at\\b", "checks, reads"),
                    entry("\\bmakes? no sense\\b", "is malformed"),
                    entry("\\bunder way\\b", "in flight, in progress"),
                    entry("\\band the like\\b", "and similar ones"),
                    entry("\\bnot any more\\b", "no longer"),
                    entry("\\b[Ll]og-ins?\\b", "login"),
                    entry("\\bfor so long\\b", "for that long"),
                    entry("\\bwho may (ask|pass)\\b", "access rules, authorization"),
                    entry("\\bgets? by itself\\b", "orders, obtains"),
                    entry("\\b(is|are) awaited\\b", "timeout, waits for"),
                    entry(
                            "(?<!here )(?<!here \\|  )\\b(is|are) no "
                                    + "(?!longer|such|other|worse)[a-z]",
                            "is not a"),
                    entry("(?<=[a-z`)][.] )Of [a-z0-9]", "a noun as the subject"),
                    entry(
                            "(?<![\\w,#] )\\bWho (has|had|is|gets|wants|runs|knows) ",
                            "a noun as the subject"));

    /// A literal of a Java source; text blocks are read by their lines.
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static Map.Entry<Pattern, String> entry(String regex, String instead) {
        return Map.entry(Pattern.compile(regex), instead);
    }

    private static void check(String where, String text, List<String> wrong) {
        FORBIDDEN.forEach((pattern, instead) -> {
            Matcher found = pattern.matcher(text);
            if (found.find()) {
                wrong.add(where + ": \"" + found.group() + "\", rather " + instead);
            }
        });
    }

    /// Pages for users; decisions and designs keep their form, and measurements are data.
    private static boolean isForUsers(Document document) {
        String name = document.toString();
        return !name.matches("docs/(decisions|design|measurements)/.*|docs/reference/glossary.md");
    }

    @Test
    void pages_haveTheWordsOfTheGlossary() throws IOException {
        List<String> wrong = new ArrayList<>();
        int pages = 0;
        for (Document document : Document.all()) {
            if (isForUsers(document)) {
                pages++;
                check(document.toString(), document.prose().replaceAll("\\s+", " "), wrong);
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(pages > 40, pages + " pages");
    }

    @Test
    void help_hasTheWordsOfTheGlossary() {
        List<String> wrong = new ArrayList<>();
        for (Command command : CommandTables.all()) {
            String help = Help.of(command).toString().replaceAll("\\s+", " ");
            check("margay " + command.name(), help, wrong);
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void messages_haveTheWordsOfTheGlossary() throws IOException {
        List<String> wrong = new ArrayList<>();
        int sources = 0;
        for (Path module : Modules.mainFolders()) {
            try (Stream<Path> files = Files.walk(module)) {
                for (Path source : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    sources++;
                    String name = Document.ROOT.relativize(source).toString();
                    check(name, literals(Files.readString(source)), wrong);
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(sources > 1000, sources + " sources");
    }

    /// What accounts of foreign files say of directives and attributes.
    @Test
    void lists_ofAccounts_haveTheWordsOfTheGlossary() throws IOException {
        List<String> wrong = new ArrayList<>();
        int lists = 0;
        for (Path module : Modules.mainFolders()) {
            Path resources = module.resolveSibling("resources");
            if (module.startsWith(Document.ROOT.resolve("compat")) && Files.exists(resources)) {
                try (Stream<Path> files = Files.walk(resources)) {
                    for (Path list : files.filter(f -> f.toString().endsWith(".txt")).toList()) {
                        lists++;
                        String name = Document.ROOT.relativize(list).toString();
                        for (String line : Files.readAllLines(list)) {
                            check(name, line.startsWith("#") ? "" : line, wrong);
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(lists > 3, lists + " lists");
    }

    /// All literals of a source with bars between them, without comments.
    private static String literals(String source) {
        StringBuilder all = new StringBuilder();
        boolean block = false;
        for (String line : source.lines().toList()) {
            if (line.contains("\"\"\"")) {
                block ^= line.indexOf("\"\"\"") == line.lastIndexOf("\"\"\"");
            } else if (block) {
                all.append(' ').append(line.strip());
            } else if (!line.strip().startsWith("//")) {
                Matcher literal = LITERAL.matcher(line);
                while (literal.find()) {
                    all.append(" | ").append(literal.group(1));
                }
            }
        }
        return all.toString();
    }
}
