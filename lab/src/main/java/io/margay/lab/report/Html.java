package io.margay.lab.report;

import java.util.List;

/// Pieces of HTML. Stateless.
final class Html {
    private Html() {}

    /// Text with what means something in HTML escaped.
    static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /// A table in a frame that scrolls when the window is narrow.
    static String table(List<String> head, List<List<String>> rows) {
        StringBuilder html =
                new StringBuilder("<div class=\"scroll\" tabindex=\"0\"><table>\n<tr>");
        head.forEach(cell -> html.append("<th>").append(text(cell)).append("</th>"));
        html.append("</tr>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            row.forEach(cell -> html.append("<td>").append(text(cell)).append("</td>"));
            html.append("</tr>\n");
        }
        return html.append("</table></div>\n").toString();
    }

    /// The start of a drawing as wide as the page; the caller closes it.
    ///
    /// @param title what those are told who cannot see it
    static String drawing(int pixels, String title) {
        return "<svg role=\"img\" width=\"100%%\" height=\"%d\"><title>%s</title>\n"
                .formatted(pixels, text(title));
    }

    /// A list of sentences; nothing for none.
    static String list(List<String> sentences) {
        if (sentences.isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder("<ul>\n");
        sentences.forEach(it -> html.append("<li>").append(text(it)).append("</li>\n"));
        return html.append("</ul>\n").toString();
    }
}
