package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.compat.account.Place;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.RestrictingDirectives;
import io.margay.compat.httpd.syntax.UnsupportedDirectives;
import io.margay.compat.httpd.syntax.UnsupportedDirectives.Other;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The page says of directives that are not followed what the tables say. `-Dmargay.update=true`
/// writes it.
final class DirectivePageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("margay.root", ".."), "docs/reference/gateway-compat.md");

    private static final String BEFORE = "<!-- generated: not followed -->\n";
    private static final String AFTER = "\n## Tomcat's server.xml";

    private final RestrictingDirectives restricting = RestrictingDirectives.load();

    @Test
    void directivesNotFollowed_areOnThePageAsInTheTables() throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEFORE) + BEFORE.length();
        int to = page.indexOf(AFTER, from);
        if (Boolean.getBoolean("margay.update")) {
            Files.writeString(PAGE, page.substring(0, from) + list() + page.substring(to));
        } else {
            assertEquals(list(), page.substring(from, to));
        }
    }

    /// Those without effect by their names, others with what happens instead.
    private String list() {
        List<String> noted = new ArrayList<>();
        Map<String, String> names = new LinkedHashMap<>();
        for (Other one : UnsupportedDirectives.load().all()) {
            String byDefault = one.byDefault().isEmpty() ? "" : " (" + one.byDefault() + ")";
            String verdict = verdict(one);
            if (verdict.equals("noted")) {
                noted.add("`" + one.word() + "`");
            } else {
                names.merge(
                        verdict + ": " + one.text(),
                        "`" + one.word() + "`" + byDefault,
                        (before, name) -> before + ", " + name);
            }
        }
        return names.entrySet().stream()
                        .map(row -> "- " + row.getValue() + ": " + row.getKey() + "\n")
                        .collect(Collectors.joining())
                + "\nNoted, for a reason that `check` gives: "
                + String.join(", ", noted)
                + ".\n";
    }

    /// Nothing is served where it would be open what the directive closes.
    private String verdict(Other one) {
        if (restricts(one, "on")) {
            return "wrong";
        }
        String verdict = one.verdict().name().toLowerCase(Locale.ROOT);
        String closing = "RegisteredMethods";
        return restricts(one, closing) ? verdict + ", wrong with " + closing : verdict;
    }

    private boolean restricts(Other one, String argument) {
        return restricting.restricts(
                new HttpdNode(
                        one.word(),
                        List.of(argument),
                        false,
                        List.of(),
                        new Place("httpd.conf", 1)));
    }
}
