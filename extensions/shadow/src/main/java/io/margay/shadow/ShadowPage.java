package io.margay.shadow;

import io.margay.gateway.mirror.Shadow;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;

/// What came of comparing, as a page of HTML that loads nothing and runs nothing: its policy allows
/// its own style alone. Stateless.
final class ShadowPage {
    private static final String STYLE =
            """
            body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;\
            padding:0 1rem;color:#1b1b1b;background:#fff}
            h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}
            table{border-collapse:collapse}th,td{text-align:left;padding:.2rem .8rem .2rem 0;\
            vertical-align:top}
            td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
            details{border-top:1px solid #bbb;padding:.5rem 0}summary{cursor:pointer}
            .side{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
            .side pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f3f3f3;\
            padding:.5rem;margin:.3rem 0}
            @media(prefers-color-scheme:dark){body{color:#eee;background:#161616}\
            .side pre{background:#262626}}
            """;

    private ShadowPage() {}

    static String of(String title, List<Shadow.Chapter> chapters, ShadowResults results) {
        StringBuilder out = new StringBuilder();
        out.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<meta http-equiv=\"Content-Security-Policy\" content=\"")
                .append("default-src 'none'; style-src 'sha256-")
                .append(digest(STYLE))
                .append("'; base-uri 'none'; form-action 'none'\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width\">\n<title>")
                .append(escaped(title))
                .append("</title>\n<style>")
                .append(STYLE)
                .append("</style></head>\n<body><h1>")
                .append(escaped(title))
                .append("</h1>\n<p>")
                .append(escaped(results.verdict()))
                .append(".</p>\n");
        for (Shadow.Chapter chapter : chapters) {
            out.append("<h2>").append(escaped(chapter.title())).append("</h2>\n<ul>");
            chapter.lines().forEach(line -> item(out, line));
            out.append("</ul>\n");
        }
        differences(out, results);
        times(out, results);
        out.append("<ul>");
        ShadowWords.notes(results).forEach(line -> item(out, line));
        return out.append("</ul>\n</body></html>\n").toString();
    }

    private static void item(StringBuilder out, String line) {
        out.append("<li>").append(escaped(line)).append("</li>\n");
    }

    private static void differences(StringBuilder out, ShadowResults results) {
        if (!results.differs()) {
            return;
        }
        out.append("<h2>What differs</h2>\n");
        for (DifferenceGroups.Group group : results.groups()) {
            Difference example = group.example();
            out.append("<details open><summary><b>")
                    .append(ShadowResults.count(group.count()))
                    .append("</b> × ")
                    .append(escaped(group.request()))
                    .append(" – ")
                    .append(escaped(ShadowWords.cause(group)))
                    .append("</summary><p>As in <code>")
                    .append(escaped(group.target()))
                    .append("</code></p><div class=\"side\"><div>Old<pre>")
                    .append(escaped(example.old()))
                    .append("</pre></div><div>New<pre>")
                    .append(escaped(example.fresh()))
                    .append("</pre></div></div></details>\n");
        }
        ShadowWords.more(results, results.groups().size())
                .forEach(line -> out.append("<p>").append(escaped(line)).append("</p>\n"));
    }

    private static void times(StringBuilder out, ShadowResults results) {
        out.append("<h2>How long it took, and what was not compared</h2>\n<table>");
        row(out, "th", ShadowWords.TIMES);
        ShadowWords.times(results).forEach(cells -> row(out, "td", cells));
        out.append("</table>\n");
    }

    private static void row(StringBuilder out, String element, List<String> cells) {
        out.append("<tr>");
        for (int i = 0; i < cells.size(); i++) {
            out.append('<').append(element).append(i == 0 ? ">" : " class=\"n\">");
            out.append(escaped(cells.get(i))).append("</").append(element).append('>');
        }
        out.append("</tr>\n");
    }

    private static String digest(String style) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(style.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
