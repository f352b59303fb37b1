package io.margay.shadow;

import io.margay.gateway.mirror.Shadow;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

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
            chapter.lines()
                    .forEach(line -> out.append("<li>").append(escaped(line)).append("</li>\n"));
            out.append("</ul>\n");
        }
        differences(out, results);
        times(out, results);
        leftOut(out, results);
        return out.append("</body></html>\n").toString();
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
                    .append(escaped(example.cause()))
                    .append(group.confirmed() == 0 ? " (not confirmed)" : "")
                    .append("</summary><p>As in <code>")
                    .append(escaped(group.target()))
                    .append("</code></p><div class=\"side\"><div>Old<pre>")
                    .append(escaped(example.old()))
                    .append("</pre></div><div>New<pre>")
                    .append(escaped(example.fresh()))
                    .append("</pre></div></div></details>\n");
        }
        if (results.asides().beyond() > 0) {
            out.append("<p>")
                    .append(ShadowResults.count(results.asides().beyond()))
                    .append(" more differences, of too many reasons to tell apart.</p>\n");
        }
    }

    private static void times(StringBuilder out, ShadowResults results) {
        out.append("<h2>Time of the answers, ms</h2>\n<table><tr><th>server</th>")
                .append("<th class=\"n\">p50</th><th class=\"n\">p90</th>")
                .append("<th class=\"n\">p99</th><th class=\"n\">5xx</th>")
                .append("<th class=\"n\">no answer</th></tr>\n");
        row(out, "old", results.sides().old());
        row(out, "new", results.sides().fresh());
        out.append("</table>\n");
        if (results.isSlower()) {
            out.append("<p>Most answers of the new server come more than 10 ms later.</p>\n");
        }
    }

    private static void row(StringBuilder out, String name, ShadowResults.Times times) {
        out.append(
                String.format(
                        Locale.ROOT,
                        "<tr><td>%s</td><td class=\"n\">%.2f</td><td class=\"n\">%.2f</td>"
                                + "<td class=\"n\">%.2f</td><td class=\"n\">%d</td>"
                                + "<td class=\"n\">%d</td></tr>\n",
                        name,
                        times.p50(),
                        times.p90(),
                        times.p99(),
                        times.failed(),
                        times.silent()));
    }

    private static void leftOut(StringBuilder out, ShadowResults results) {
        out.append("<h2>What was not compared</h2>\n<ul><li>")
                .append(ShadowResults.count(results.asides().places()))
                .append(" places at which the old server differs from itself; it was asked twice ")
                .append(ShadowResults.count(results.asides().repeated()))
                .append(" times</li>\n");
        results.leftOut()
                .forEach((reason, count) ->
                        out.append("<li>")
                                .append(ShadowResults.count(count))
                                .append(": ")
                                .append(escaped(reason.words()))
                                .append("</li>\n"));
        out.append("</ul>\n");
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
