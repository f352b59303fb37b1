package io.margay.compat.httpd.access;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.access.match.SectionMatch.Kind;
import io.margay.gateway.rules.compiled.RequestConditions;
import java.nio.file.Path;

/// Reads what a section is about. Stateless.
public final class AccessMatch {
    private AccessMatch() {}

    /// What a section is about.
    ///
    /// @throws IllegalArgumentException for a malformed expression or path
    public static SectionMatch of(HttpdSection section, HttpdNode node, ReadingContext context) {
        boolean regex = node.key().endsWith("match") || node.argument(0).equals("~");
        String text = section.argument();
        return switch (section.kind()) {
            case LOCATION -> regex ? SectionMatch.regex(text) : SectionMatch.of(text, Kind.PATH);
            case FILES -> regex ? SectionMatch.regex(text) : SectionMatch.of(text, Kind.FILE);
            case PROXY -> regex ? SectionMatch.regex(text) : SectionMatch.of(text, Kind.PEER);
            case DIRECTORY -> regex ? SectionMatch.regex(text) : folder(text, context);
            case IF -> new SectionMatch.When(RequestConditions.of(section.conditions()));
            case NONE, LIMIT, UNKNOWN -> new SectionMatch.Everything();
        };
    }

    private static SectionMatch folder(String text, ReadingContext context) {
        String plain = text.length() > 1 ? text.replaceFirst("/+$", "") : text;
        SectionMatch match = SectionMatch.of(plain, Kind.FOLDER);
        if (match instanceof SectionMatch.Literal) {
            Path path = context.path(plain);
            if (path == null || plain.isEmpty()) {
                throw new IllegalArgumentException("\"" + text + "\" is not a folder");
            }
            return new SectionMatch.Literal(path.toAbsolutePath().normalize().toString());
        }
        if (!plain.startsWith("/")) {
            throw new IllegalArgumentException("a pattern of folders starts with /");
        }
        return match;
    }
}
