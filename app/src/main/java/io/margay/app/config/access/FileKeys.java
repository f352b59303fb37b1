package io.margay.app.config.access;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.rules.RuleKeys;
import io.margay.app.yaml.Shape;
import io.margay.gateway.access.FolderOverrides;
import io.margay.gateway.access.SectionPages;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.access.handler.FileHandlers;
import io.margay.gateway.listing.FolderListing;
import io.margay.gateway.listing.FolderVariants;
import io.margay.gateway.rules.FileTypes;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.TypesFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The keys of a section of `access` that say how files are served. Stateless.
final class FileKeys {
    private static final List<FileHandler> WHOLE =
            List.of(FileHandler.PROGRAM, FileHandler.FILE, FileHandler.BY_NAME);

    /// Parts of names of files.
    private static final Form<List<String>> ENDINGS =
            list("endings", text("letters, as in php"), 0)
                    .as(words -> words.stream().map(FileKeys::ending).toList(), words -> words);

    static final Keys<FileHandlers> HANDLERS =
            Binding.of("which files are programs", FileHandlers.NONE)
                    .form(
                            "programs",
                            ENDINGS,
                            all -> endings(all, FileHandler.PROGRAM),
                            (to, words) -> put(to, words, FileHandler.PROGRAM))
                    .form(
                            "no-programs",
                            ENDINGS,
                            all -> endings(all, FileHandler.FILE),
                            (to, words) -> put(to, words, FileHandler.FILE))
                    .form(
                            "handler",
                            word(WHOLE, FileKeys::written),
                            all -> all.whole() instanceof FileHandler.Run ? null : all.whole())
                    .form(
                            "run",
                            AccessKeys.rules(RuleKeys.rule()).as(FileKeys::run, runs -> runs),
                            FileKeys::runs,
                            FileKeys::setRuns)
                    .keys(
                            """
                            programs: Files with one of these name parts after a dot are programs,
                              answered with 404.
                            no-programs: Exceptions from `programs`.
                            handler (whole) [as before]: Treats all files as programs, as files, or
                              by name.
                            run: Upstreams that run files: rules with `path: "*"` or `path:
                              "*.ENDING"`, and `to`. They get the file's path, as from httpd.
                            path-info [false]: Serves a file also if more path follows it.
                            """);

    /// A file that is read at once; one that cannot be read is a problem.
    private static final Form<TypesFile> TYPES_FILE =
            new Form<>(
                    Shape.text("a path"),
                    (value, at, _) -> {
                        try {
                            return TypesFile.read(at.reading().base().resolve((String) value));
                        } catch (IOException e) {
                            at.problem(value + " cannot be read");
                            return null;
                        }
                    },
                    (file, _) -> YamlText.quote(file.path().toString()));

    static final Keys<FileTypes> TYPES =
            Binding.of("which types files have", FileTypes.NONE)
                    .form("types", byEnding("types by ending", text("a type")))
                    .form("types-file", TYPES_FILE)
                    .form("charsets", byEnding("charsets by ending", text("a charset")))
                    .form("type", orNone(text("a media type")))
                    .form("charset", orNone(text("a charset")))
                    .keys(
                            """
                            types (endings) [those of the server's list]: Media types by ending;
                              none = the ending has no type.
                            types-file (file) [the server's list]: A file such as /etc/mime.types
                              that replaces the server's list.
                            last-ending (isLastAlone): Only the last ending of a name counts, as in
                              nginx.
                            charsets: The same for charsets.
                            type (forced) [as before]: Media type of all files; none = by name.
                            charset [UTF-8 for all texts]: Charset of HTML and plain text without
                              one.
                            """);

    static final Keys<SectionPages> PAGES =
            Binding.of("pages of folders", SectionPages.NONE)
                    .form("fallback", orNone(text("a path, or none")))
                    .keys(
                            """
                            index <names, each a name, or a path that begins with /> [those of the
                              route]: Index pages tried for a folder, each as a subrequest; the
                              first that exists or that a rule handles.
                            fallback [that of the route]: Subrequest for a missing file or a folder
                              without an index page.
                            """);

    static final Keys<FolderOverrides> OVERRIDES =
            Binding.of("what folders may say", FolderOverrides.UNSAID)
                    .form(
                            "overrides",
                            list(
                                            "classes",
                                            words(
                                                    "authconfig",
                                                    "fileinfo",
                                                    "indexes",
                                                    "limit",
                                                    "options",
                                                    "nothing"),
                                            0)
                                    .as(Set::copyOf, List::copyOf))
                    .form(
                            "override-directives",
                            list("names", text("a name of httpd's, as in Require"), 0)
                                    .as(Set::copyOf, List::copyOf))
                    .keys(
                            """
                            overrides (classes): What `.htaccess` may set, as httpd's AllowOverride;
                              with `nothing`, a file with directives closes its folder.
                            override-directives (directives): Further directives allowed there, as
                              AllowOverrideList.
                            """);

    static final Keys<FolderListing> LISTING =
            Binding.of("how folders are listed", FolderListing.NONE)
                    .form(
                            "listing-lines",
                            list("lines", text("a line of httpd's mod_autoindex"), 0)
                                    .as(
                                            lines -> FolderListing.of(null, "", lines).parts(),
                                            parts -> new FolderListing(null, parts).texts()))
                    .keys(
                            """
                            listing (on) [as before]: Lists folders without an index page.
                            listing-lines (parts) [as before]: Style of listings, as `IndexOptions
                              FancyIndexing HTMLTable`.
                            """);

    static final Keys<FolderVariants> VARIANTS =
            Binding.of("which file stands for a name", FolderVariants.NONE)
                    .form(
                            "views",
                            flag(),
                            FolderVariants::on,
                            (to, on) -> to.become(FolderVariants.of(on, to.build().texts())))
                    .form(
                            "variant-lines",
                            list("lines", text("a line of httpd's mod_negotiation"), 0),
                            FolderVariants::texts,
                            (to, lines) -> to.become(FolderVariants.of(to.build().on(), lines)))
                    .keys(
                            """
                            views [as before]: Finds files by names without endings, as `Options
                              MultiViews`.
                            variant-lines [as before]: Lines such as `LanguagePriority en de` and
                              `AddLanguage de .de`.
                            """);

    private FileKeys() {}

    private static Form<Map<String, String>> byEnding(String says, Form<String> value) {
        return named(says, "ENDING", Shape.text("an ending"), orNone(value))
                .as(FileKeys::endings, all -> all);
    }

    /// A text, for which the word `none` stands where it is empty.
    private static Form<String> orNone(Form<String> form) {
        return form.as(
                text -> text.equals("none") ? "" : text, text -> text.isEmpty() ? "none" : text);
    }

    private static Map<String, String> endings(Map<String, String> all) {
        Map<String, String> made = new LinkedHashMap<>();
        all.forEach((name, value) -> made.put(ending(name), value));
        return made;
    }

    private static String ending(String word) {
        return word.replaceFirst("^\\.", "").toLowerCase(Locale.ROOT);
    }

    private static String written(FileHandler handler) {
        return switch (handler) {
            case FileHandler.Program _ -> "program";
            case FileHandler.Sent _ -> "file";
            case FileHandler.ByName _, FileHandler.Run _ -> "by-name";
        };
    }

    private static List<String> endings(FileHandlers all, FileHandler of) {
        boolean sent = of.equals(FileHandler.FILE);
        return all.endings().entrySet().stream()
                .filter(one ->
                        one.getValue().equals(of)
                                || (sent && one.getValue() instanceof FileHandler.ByName))
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Names that count as programs come first: those that are sent do not take their place.
    private static void put(Draft<FileHandlers> to, List<String> words, FileHandler handler) {
        Map<String, FileHandler> all = new HashMap<>(to.build().endings());
        words.forEach(word -> all.putIfAbsent(word, handler));
        to.set("endings", all);
    }

    private static List<GatewayRule> runs(FileHandlers all) {
        List<GatewayRule> runs = new ArrayList<>();
        all.endings()
                .forEach((ending, handler) -> {
                    if (handler instanceof FileHandler.Run(var by)) {
                        runs.add(GatewayRule.of(new PathMatch.Glob("*." + ending), by));
                    }
                });
        if (all.whole() instanceof FileHandler.Run(var by)) {
            runs.add(GatewayRule.of(PathMatch.ANY, by));
        }
        return runs;
    }

    private static void setRuns(Draft<FileHandlers> to, List<GatewayRule> runs) {
        Map<String, FileHandler> all = new HashMap<>(to.build().endings());
        for (GatewayRule rule : runs) {
            if (rule.match() instanceof PathMatch.Glob(String names)
                    && rule.action() instanceof RuleAction.Forward by) {
                if (names.startsWith("*.")) {
                    all.put(ending(names.substring(1)), new FileHandler.Run(by));
                } else {
                    to.set("whole", new FileHandler.Run(by));
                }
            }
        }
        to.set("endings", all);
    }

    private static List<GatewayRule> run(List<GatewayRule> rules) {
        for (GatewayRule rule : rules) {
            if (!(rule.match() instanceof PathMatch.Glob
                    && rule.action() instanceof RuleAction.Forward)) {
                throw new IllegalArgumentException(
                        "run needs a rule with path: \"*\" or \"*.ENDING\", and to");
            }
        }
        return rules;
    }
}
