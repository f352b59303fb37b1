package io.margay.servlet.engine.dispatch;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The page that is shown when the application has none of its own. It shows no exception unless
/// the settings ask for it.
final class DefaultErrorPage {
    private DefaultErrorPage() {}

    static byte[] render(
            int status, String reason, @Nullable String message, @Nullable Throwable details) {
        StringBuilder page = new StringBuilder(512);
        String title = status + " " + escape(reason);
        page.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(title)
                .append("</title><style>body{font-family:sans-serif;margin:4em auto;")
                .append("max-width:40em;color:#333}h1{font-weight:400}pre{overflow:auto}")
                .append("</style></head><body><h1>")
                .append(title)
                .append("</h1>");
        if (message != null && !message.isEmpty()) {
            page.append("<p>").append(escape(message)).append("</p>");
        }
        if (details != null) {
            StringWriter trace = new StringWriter();
            details.printStackTrace(new PrintWriter(trace));
            page.append("<pre>").append(escape(trace.toString())).append("</pre>");
        }
        page.append("</body></html>\n");
        return page.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
