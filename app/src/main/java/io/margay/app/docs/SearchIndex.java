package io.margay.app.docs;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Node;

/// What the search of the site looks through: every heading with the text below it. Confined to the
/// thread that renders.
final class SearchIndex {
    /// Path, title and section of each page; the number of the page, fragment, heading and text of
    /// each part.
    private final List<List<Object>> pages = new ArrayList<>();

    private final List<List<Object>> parts = new ArrayList<>();

    void add(SitePage page, String section) {
        int number = pages.size();
        pages.add(List.of(page.path(), page.title(), section));
        String id = "";
        String heading = page.title();
        StringBuilder text = new StringBuilder();
        for (Node node = page.tree().getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading next) {
                put(number, id, heading, text);
                id = page.id(next);
                heading = SitePage.text(next);
            } else if (!(node instanceof HtmlBlock)) {
                text.append(SitePage.text(node)).append(' ');
            }
        }
        put(number, id, heading, text);
    }

    private void put(int page, String id, String heading, StringBuilder text) {
        if (!id.isEmpty() || !text.isEmpty()) {
            parts.add(List.of(page, id, heading, text.toString().replaceAll("\\s+", " ").strip()));
        }
        text.setLength(0);
    }

    /// As a script, which a page opened from a folder can load, too.
    String script() throws IOException {
        return "window.margayPages = %s;%nwindow.margayParts = %s;%n"
                .formatted(JSON.std.asString(pages), JSON.std.asString(parts));
    }
}
