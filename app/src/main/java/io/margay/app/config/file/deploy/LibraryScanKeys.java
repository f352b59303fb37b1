package io.margay.app.config.file.deploy;

import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.servlet.settings.LibraryScan;
import java.util.List;
import java.util.Optional;

/// The section `library-scan`: which libraries of applications are looked through. Stateless.
public final class LibraryScanKeys {
    private static final String EXCEPT = "except";

    private static final String MEANS =
            "Which libraries of applications are skipped when they are looked through for web"
                    + " fragments, annotations, `@HandlesTypes`, tag libraries and"
                    + " `META-INF/resources`. Their classes stay on the class path. Holds for"
                    + " applications whose `JarScanner`, or `catalina.properties`, says nothing.";

    private static final Shape.Section SHAPE =
            new Shape.Section(
                    "the scan of libraries",
                    List.of(
                            optional(
                                    "skip",
                                    new Items("patterns", text("a pattern"), 1, true),
                                    "none",
                                    "File names of libraries that are skipped; `*` stands for any"
                                            + " characters, `?` for one."),
                            optional(
                                    EXCEPT,
                                    new Items("patterns", text("a pattern"), 1, true),
                                    "none",
                                    "Those of them that are looked through nevertheless.")),
                    List.of());

    /// The key of the section.
    public static final Shape.Key KEY =
            optional("library-scan", SHAPE, "all are looked through", MEANS);

    private LibraryScanKeys() {}

    /// What the section says.
    ///
    /// @param deploy where it is; empty = all libraries are looked through
    public static LibraryScan read(Optional<Settings> deploy, List<Problem> problems) {
        return deploy.flatMap(all -> all.section("library-scan"))
                .map(section -> read(section, problems))
                .orElse(LibraryScan.ALL);
    }

    private static LibraryScan read(Settings section, List<Problem> problems) {
        List<String> skip = section.list("skip", String.class);
        List<String> except = section.list(EXCEPT, String.class);
        if (skip.isEmpty() && !except.isEmpty()) {
            problems.add(new Problem(section.position(EXCEPT), "\"except\" belongs to \"skip\""));
        }
        return LibraryScan.of(new LibraryScan.Names(skip, except, true));
    }
}
