package io.margay.app.docs;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.node.Heading;

/// What stands around the text of every page. Immutable.
///
/// @param template HTML with names in doubled braces
record PageFrame(String template) {
    /// What browsers may do for a page: load what the site itself has.
    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                    + " base-uri 'none'; form-action 'none'";

    private static final Pattern NAME = Pattern.compile("\\{\\{([a-z]+)}}");
    private static final int CONTENTS_MIN = 3;

    /// The whole page. Its tree is rendered.
    String of(SitePage page, Navigation navigation) {
        Map<String, String> values =
                Map.of(
                        "title", escaped(page.title()),
                        "policy", POLICY,
                        "root", page.root(),
                        "contents", contents(page),
                        "menu", navigation.html(page),
                        "text", PageHtml.of(page));
        Matcher name = NAME.matcher(template);
        return name.replaceAll(
                found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), "")));
    }

    /// The headings of a page that has some.
    private static String contents(SitePage page) {
        List<Heading> headings =
                page.headings().stream().filter(heading -> heading.getLevel() == 2).toList();
        if (headings.size() < CONTENTS_MIN) {
            return "";
        }
        StringBuilder html =
                new StringBuilder("<nav id=\"site-contents\" aria-label=\"On this page\">\n<ul>\n");
        for (Heading heading : headings) {
            html.append("<li><a href=\"#")
                    .append(escaped(page.id(heading)))
                    .append("\">")
                    .append(escaped(SitePage.text(heading)))
                    .append("</a></li>\n");
        }
        return html.append("</ul>\n</nav>\n").toString();
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
