package io.margay.compat.httpd.syntax;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads httpd's configuration language: directives and sections, continued lines, quotes,
/// `Include`, `Define` with `${NAME}`, `Macro` with `Use`, and the sections `IfModule`, `IfDefine`,
/// `IfVersion`, `IfFile`, which it resolves. Confined to one reading.
public final class HttpdParser {
    /// Files within one another at most.
    static final int INCLUDE_DEPTH_MAX = 20;

    /// Files in all at most.
    static final int FILES_MAX = 2000;

    /// Lines that macros make at most.
    static final int MACRO_LINES_MAX = 100_000;

    /// The release whose configuration is understood.
    static final String VERSION = "2.4.65";

    private static final Map<String, String> DEBIAN =
            Map.of(
                    "APACHE_LOG_DIR", "/var/log/apache2",
                    "APACHE_RUN_DIR", "/var/run/apache2",
                    "APACHE_LOCK_DIR", "/var/lock/apache2",
                    "APACHE_PID_FILE", "/var/run/apache2/apache2.pid",
                    "APACHE_RUN_USER", "www-data",
                    "APACHE_RUN_GROUP", "www-data");

    private final Account account;
    private final Map<String, String> environment;
    private final Map<String, String> defined = new HashMap<>();
    private final Set<String> loaded = new HashSet<>();

    /// Sections of modules that are not known to be loaded, passed over, that close something.
    private final Set<HttpdNode> lost = new LinkedHashSet<>();

    private final RestrictingDirectives restricting = RestrictingDirectives.load();
    private final Map<String, HttpdMacro> macros = new HashMap<>();
    private @Nullable Path serverRoot;
    private int files;
    private int macroLines;

    public HttpdParser(Account account, Map<String, String> environment) {
        this.account = account;
        this.environment = environment;
    }

    /// The folder that `ServerRoot` names, or null.
    public @Nullable Path serverRoot() {
        return serverRoot;
    }

    /// Reads a file with all that it includes.
    public List<HttpdNode> parse(TextFile file, Path folder) {
        return new Reading(file, folder, 0).read();
    }

    /// Ends the reading: where no file says which modules are loaded, a section of one that closes
    /// something cannot be passed over.
    public void end() {
        if (!HttpdModules.isListed(loaded)) {
            lost.forEach(section ->
                    account.wrong(
                            section.place(),
                            section.title(),
                            "no LoadModule tells whether it applies, and it restricts access"));
        }
    }

    /// A section that is being read.
    private record Open(
            HttpdNode head, List<HttpdNode> children, boolean transparent, boolean skipped) {}

    /// One file. Confined to one call.
    private final class Reading {
        private final TextFile file;
        private final Path folder;
        private final int depth;
        private final List<Open> open = new ArrayList<>();
        private final List<HttpdNode> top = new ArrayList<>();

        /// The macro whose lines are read, or null.
        private @Nullable HttpdMacro macro;

        Reading(TextFile file, Path folder, int depth) {
            this.file = file;
            this.folder = folder;
            this.depth = depth;
        }

        List<HttpdNode> read() {
            StringBuilder continued = new StringBuilder();
            int first = 0;
            List<String> lines = file.lines();
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (continued.isEmpty()) {
                    first = i + 1;
                }
                boolean more = line.endsWith("\\") && i + 1 < lines.size();
                continued.append(more ? line.substring(0, line.length() - 1) : line);
                if (!more) {
                    line(continued.toString().strip(), new Place(file.name(), first));
                    continued.setLength(0);
                }
            }
            return end();
        }

        /// What was read, when all of it was.
        List<HttpdNode> end() {
            if (macro != null) {
                unclosed(macro.head());
            }
            open.forEach(section -> unclosed(section.head));
            return top;
        }

        private void unclosed(HttpdNode section) {
            account.wrong(
                    section.place(),
                    section.title(),
                    "is not closed; </" + section.name() + "> is missing");
        }

        private void line(String line, Place place) {
            if (line.isEmpty() || line.charAt(0) == '#') {
                return;
            }
            if (macro != null) {
                ofMacro(macro, line, place);
            } else if (line.startsWith("</")) {
                close(line, place);
            } else if (line.charAt(0) == '<') {
                open(line, place);
            } else if (!isSkipped()) {
                String text = replace(line, place);
                List<String> words = asWritten(words(text, place), text);
                directive(
                        new HttpdNode(
                                words.getFirst(),
                                words.subList(1, words.size()),
                                false,
                                List.of(),
                                place));
            } else {
                skip(line, place);
            }
        }

        /// `Require ldap-…` is told the rest of its line with the quotes.
        private static List<String> asWritten(List<String> words, String line) {
            boolean ofDirectory =
                    words.getFirst().equalsIgnoreCase("Require")
                            && words.stream().anyMatch(word -> word.matches("(?i)ldap-.*"))
                            && line.matches(".*[\"'].*");
            return ofDirectory ? List.of(line.split("\\s+")) : words;
        }

        /// A line that is passed over.
        private void skip(String line, Place place) {
            HttpdNode head = open.stream().filter(Open::skipped).findFirst().orElseThrow().head;
            List<String> words = words(line, place);
            HttpdNode node =
                    new HttpdNode(
                            words.getFirst(),
                            words.subList(1, words.size()),
                            false,
                            List.of(),
                            place);
            boolean unknown = head.key().equals("ifmodule") && !head.argument(0).startsWith("!");
            if (unknown && restricting.restricts(node)) {
                lost.add(head);
            }
        }

        /// Keeps a line of a macro, or ends it.
        private void ofMacro(HttpdMacro open, String line, Place place) {
            if (line.replaceAll("\\s+", "").equalsIgnoreCase("</macro>")) {
                macros.put(HttpdMacro.key(open.head().argument(0)), open);
                macro = null;
            } else if (open.isFull()) {
                account.wrong(place, open.head().title(), "has too many lines");
            } else {
                open.add(line, place);
            }
        }

        /// `Use NAME VALUE…`: the lines of a macro, as if they stood here.
        private void use(HttpdNode node) {
            HttpdMacro used = macros.get(HttpdMacro.key(node.argument(0)));
            List<String> values = node.arguments().subList(Math.min(1, node.size()), node.size());
            if (used == null) {
                account.wrong(node.place(), node.name(), "there is no Macro " + node.argument(0));
            } else if (values.size() != used.parameters()) {
                account.wrong(
                        node.place(),
                        node.name(),
                        used.head().title()
                                + " wants "
                                + used.parameters()
                                + " values, not "
                                + values.size());
            } else if (depth >= INCLUDE_DEPTH_MAX) {
                account.wrong(
                        node.place(),
                        node.name(),
                        "more than " + INCLUDE_DEPTH_MAX + " nested macros");
            } else {
                account.honoured(node.place(), node.name());
                Reading reading = new Reading(file, folder, depth + 1);
                for (HttpdMacro.Line line : used.with(values)) {
                    if (++macroLines > MACRO_LINES_MAX) {
                        account.wrong(node.place(), node.name(), "expands to too many lines");
                        return;
                    }
                    reading.line(line.text().strip(), line.place());
                }
                sink().addAll(reading.end());
            }
        }

        private boolean isSkipped() {
            return !open.isEmpty() && open.getLast().skipped;
        }

        private void open(String line, Place place) {
            String text = line.substring(1);
            if (!text.endsWith(">")) {
                account.wrong(place, line, "the line of a section ends with >");
            } else {
                text = text.substring(0, text.length() - 1);
            }
            List<String> words = words(isSkipped() ? text : replace(text, place), place);
            HttpdNode head =
                    new HttpdNode(
                            words.getFirst(),
                            words.subList(1, words.size()),
                            true,
                            List.of(),
                            place);
            boolean transparent = head.key().startsWith("if") && !head.key().equals("if");
            boolean skipped = isSkipped();
            if (!skipped && head.key().equals("macro")) {
                account.honoured(place, head.title());
                macro = new HttpdMacro(head);
                return;
            }
            if (!skipped && transparent) {
                skipped = !holds(head);
                account.noted(
                        place,
                        head.title(),
                        skipped ? "does not apply: its lines are ignored" : "applies");
            }
            open.add(new Open(head, new ArrayList<>(), transparent, skipped));
        }

        private void close(String line, Place place) {
            String name = line.substring(2).replace(">", "").strip();
            if (open.isEmpty() || !open.getLast().head.name().equalsIgnoreCase(name)) {
                account.wrong(
                        place,
                        line,
                        open.isEmpty()
                                ? "closes no section"
                                : "closes "
                                        + open.getLast().head.title()
                                        + ", which it does not"
                                        + " name");
                return;
            }
            Open done = open.removeLast();
            if (!done.transparent && !done.skipped) {
                HttpdNode head = done.head;
                sink().add(
                                new HttpdNode(
                                        head.name(),
                                        head.arguments(),
                                        true,
                                        done.children,
                                        head.place()));
            }
        }

        /// Where the next node belongs: the innermost section that stays one.
        private List<HttpdNode> sink() {
            for (int i = open.size() - 1; i >= 0; i--) {
                if (!open.get(i).transparent) {
                    return open.get(i).children;
                }
            }
            return top;
        }

        private void directive(HttpdNode node) {
            switch (node.key()) {
                case "define" -> {
                    defined.put(node.argument(0), node.argument(1));
                    account.honoured(node.place(), node.name());
                }
                case "undefine" -> {
                    defined.remove(node.argument(0));
                    account.honoured(node.place(), node.name());
                }
                case "serverroot" -> {
                    serverRoot = path(node.argument(0));
                    account.honoured(node.place(), node.name());
                }
                case "loadmodule" -> {
                    loaded.add(node.argument(0).toLowerCase(Locale.ROOT));
                    sink().add(node);
                }
                case "use" -> use(node);
                case "undefmacro" -> {
                    macros.remove(HttpdMacro.key(node.argument(0)));
                    account.honoured(node.place(), node.name());
                }
                case "include" -> include(node, false);
                case "includeoptional" -> include(node, true);
                default -> sink().add(node);
            }
        }

        private void include(HttpdNode node, boolean optional) {
            if (depth >= INCLUDE_DEPTH_MAX) {
                account.wrong(
                        node.place(),
                        node.name(),
                        "more than " + INCLUDE_DEPTH_MAX + " nested files");
                return;
            }
            List<Path> found = find(node.argument(0));
            if (found.isEmpty() && !optional) {
                account.wrong(
                        node.place(),
                        node.name(),
                        node.argument(0) + " does not exist; IncludeOptional would allow that");
                return;
            }
            account.honoured(
                    node.place(),
                    node.name(),
                    found.size() == 1 ? "1 file is read" : found.size() + " files are read");
            for (Path one : found) {
                if (++files > FILES_MAX) {
                    account.wrong(node.place(), node.name(), "more than " + FILES_MAX + " files");
                    return;
                }
                try {
                    TextFile text = TextFile.read(one, one.toString());
                    sink().addAll(new Reading(text, folder, depth + 1).read());
                } catch (IOException e) {
                    account.wrong(
                            node.place(), node.name(), one + " cannot be read: " + e.getMessage());
                }
            }
        }

        /// The files of an `Include`: of a folder all in it, of a pattern those that match, sorted.
        private List<Path> find(String argument) {
            List<Path> bases = new ArrayList<>();
            if (serverRoot != null) {
                bases.add(serverRoot);
            }
            bases.add(folder);
            for (Path base : bases) {
                try {
                    List<Path> found = expand(base, argument);
                    if (!found.isEmpty()) {
                        return found;
                    }
                } catch (IOException | UncheckedIOException | InvalidPathException e) {
                    account.wrong(
                            new Place(file.name(), 0), "Include", argument + ": " + e.getMessage());
                }
            }
            return List.of();
        }
    }

    private static List<Path> expand(Path base, String argument) throws IOException {
        if (!argument.matches(".*[*?\\[].*")) {
            Path path = base.resolve(argument).normalize();
            if (Files.isDirectory(path)) {
                try (Stream<Path> all = Files.walk(path)) {
                    return all.filter(Files::isRegularFile).sorted().limit(FILES_MAX).toList();
                }
            }
            return Files.isRegularFile(path) ? List.of(path) : List.of();
        }
        List<Path> found = List.of(argument.startsWith("/") ? Path.of("/") : base);
        for (String part : argument.split("/")) {
            if (part.isEmpty()) {
                continue;
            }
            List<Path> next = new ArrayList<>();
            PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + part);
            for (Path folder : found) {
                if (!part.matches(".*[*?\\[].*")) {
                    next.add(folder.resolve(part));
                } else if (Files.isDirectory(folder)) {
                    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
                        entries.forEach(entry -> {
                            Path name = entry.getFileName();
                            if (name != null && matcher.matches(name)) {
                                next.add(entry);
                            }
                        });
                    }
                }
            }
            found = next.stream().sorted().toList();
        }
        return found.stream().filter(Files::isRegularFile).toList();
    }

    private static @Nullable Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /// `${NAME}` is what `Define` has said, or a variable of the environment.
    private String replace(String line, Place place) {
        int at = line.indexOf("${");
        if (at < 0) {
            return line;
        }
        StringBuilder result = new StringBuilder();
        int from = 0;
        while (at >= 0) {
            int end = line.indexOf('}', at);
            if (end < 0) {
                break;
            }
            String name = line.substring(at + 2, end);
            String value = defined.get(name);
            value = value == null ? environment.get(name) : value;
            if (value == null && DEBIAN.containsKey(name)) {
                value = DEBIAN.get(name);
                account.noted(place, "${" + name + "}", "is not set; using Debian's " + value);
            } else if (value == null && name.indexOf(':') < 0) {
                account.wrong(
                        place,
                        "${" + name + "}",
                        "is not set; add \"Define "
                                + name
                                + " VALUE\", or set it in the"
                                + " environment");
            }
            result.append(line, from, at)
                    .append(value == null ? line.substring(at, end + 1) : value);
            from = end + 1;
            at = line.indexOf("${", from);
        }
        return result.append(line, from, line.length()).toString();
    }

    private List<String> words(String line, Place place) {
        List<String> words = DirectiveWords.of(line);
        if (words.isEmpty()) {
            account.wrong(place, line, "names nothing");
            return List.of("?");
        }
        return words;
    }

    private boolean holds(HttpdNode section) {
        String argument = section.argument(0);
        boolean not = argument.startsWith("!");
        String name = not ? argument.substring(1) : argument;
        boolean holds =
                switch (section.key()) {
                    case "ifmodule" -> HttpdModules.isPresent(name, loaded);
                    case "ifdefine" -> defined.containsKey(name);
                    case "iffile" -> {
                        Path path = path(name);
                        yield path != null && Files.exists(path);
                    }
                    case "ifdirective", "ifsection" -> HttpdDirective.of(name) != null;
                    case "ifversion" -> version(section.arguments());
                    default -> false;
                };
        return section.key().equals("ifversion") ? holds : holds != not;
    }

    /// `IfVersion [[!]operator] version`.
    private static boolean version(List<String> arguments) {
        String operator = arguments.size() > 1 ? arguments.getFirst() : "=";
        boolean not = operator.startsWith("!");
        operator = not ? operator.substring(1) : operator;
        String wanted = arguments.isEmpty() ? "" : arguments.getLast();
        int compared = compare(VERSION, wanted);
        boolean holds =
                switch (operator) {
                    case ">" -> compared > 0;
                    case ">=" -> compared >= 0;
                    case "<" -> compared < 0;
                    case "<=" -> compared <= 0;
                    default -> compared == 0;
                };
        return holds != not;
    }

    private static int compare(String ours, String wanted) {
        String[] a = ours.split("\\.");
        String[] b = wanted.split("\\.");
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            if (!b[i].matches("[0-9]{1,6}")) {
                return 1;
            }
            int compared = Integer.compare(Integer.parseInt(a[i]), Integer.parseInt(b[i]));
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
    }
}
