package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.SubstitutionRule.Inherited;
import io.margay.gateway.rules.SubstitutionRule.Lines;
import io.margay.gateway.rules.SubstitutionRule.Replacement;
import io.margay.gateway.rules.lines.LineReplacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.PatternSyntaxException;

/// Reads what is replaced in responses that have the filter (mod_substitute). Confined to one
/// reading.
record SubstituteDirectives(ReadingContext context) {
    private static final long LINE_BYTES_MAX = Integer.MAX_VALUE / 2;

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (directive) {
            case SUBSTITUTE -> replace(node, server, section);
            case SUBSTITUTE_MAX_LINE_LENGTH -> lineMax(node, server, section);
            case SUBSTITUTE_INHERIT_BEFORE -> inherit(node, server, section);
            default -> throw new IllegalStateException(directive.word());
        }
    }

    /// `Substitute s/PATTERN/TEXT/[infq]`, whose delimiter stands in none of its parts.
    private void replace(HttpdNode node, HttpdServer server, HttpdSection section) {
        String text = node.argument(0);
        String[] parts =
                text.length() < 2
                        ? new String[0]
                        : text.substring(2)
                                .split(java.util.regex.Pattern.quote(text.substring(1, 2)), 3);
        String flags = parts.length < 3 ? "" : parts[2].toLowerCase(Locale.ROOT);
        if (node.size() != 1
                || parts.length < 2
                || !text.regionMatches(true, 0, "s", 0, 1)
                || parts[0].isEmpty()
                || !flags.matches("[infq]*")) {
            context.wrong(
                    node, "write Substitute \"s|PATTERN|TEXT|\", with the flags i, n, f or q");
            return;
        }
        Replacement made =
                new Replacement(
                        parts[0],
                        parts[1],
                        flags.contains("n"),
                        flags.contains("i"),
                        flags.lastIndexOf('q') > flags.lastIndexOf('f'));
        try {
            if (LineReplacement.of(made).findsNothing()) {
                context.changed(
                        node,
                        "finds nothing at all, too: then responses are 500, and httpd does not"
                                + " end");
            } else {
                context.honoured(node);
            }
        } catch (PatternSyntaxException e) {
            context.wrong(node, e.getDescription());
            return;
        }
        server.content.replaced(
                section,
                before -> {
                    List<Replacement> all = new ArrayList<>(before.replace());
                    all.add(made);
                    return new Lines(all, before.inherited(), before.lineBytesMax());
                });
    }

    /// `SubstituteMaxLineLength BYTES`, with b, k, m or g after it.
    private void lineMax(HttpdNode node, HttpdServer server, HttpdSection section) {
        String text = node.argument(0).toLowerCase(Locale.ROOT);
        long bytes = 0;
        if (text.matches("[0-9]{1,12}[bkmg]?")) {
            int shift = 10 * Math.max(0, "bkmg".indexOf(text.charAt(text.length() - 1)));
            bytes = Long.parseLong(text.replaceFirst("[bkmg]", "")) << shift;
        }
        if (bytes < 1 || bytes > LINE_BYTES_MAX) {
            context.wrong(node, "write SubstituteMaxLineLength and a size from 1 to 1023m");
            return;
        }
        context.honoured(node);
        long max = bytes;
        server.content.replaced(
                section, before -> new Lines(before.replace(), before.inherited(), max));
    }

    private void inherit(HttpdNode node, HttpdServer server, HttpdSection section) {
        boolean on = node.argument(0).equalsIgnoreCase("on");
        if (!on && !node.argument(0).equalsIgnoreCase("off")) {
            context.wrong(node, "write SubstituteInheritBefore On or Off");
            return;
        }
        context.honoured(node);
        Inherited inherited = on ? Inherited.FIRST : Inherited.LAST;
        server.content.replaced(
                section, before -> new Lines(before.replace(), inherited, before.lineBytesMax()));
    }
}
