package io.margay.app.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;

/// The sections of the site and their pages, as `docs/README.md` lists them. Immutable.
final class Navigation {
    private static final String REST = "Project";

    /// A page as the menu calls it.
    private record Entry(SitePage page, String name) {}

    private final Map<String, List<Entry>> sections = new LinkedHashMap<>();

    private Navigation() {}

    /// Reads them from links that have not been rewritten yet.
    static Navigation of(Site site) {
        Navigation navigation = new Navigation();
        Path index = site.home().resolve("docs/README.md");
        Set<SitePage> listed = new LinkedHashSet<>();
        SitePage start = site.bySource().get(index);
        if (start == null) {
            throw new IllegalStateException(index + " is not a page");
        }
        listed.add(start);
        List<List<Entry>> open = new ArrayList<>();
        start.tree()
                .accept(
                        new AbstractVisitor() {
                            @Override
                            public void visit(Heading heading) {
                                if (heading.getLevel() == 2) {
                                    String name = SitePage.text(heading).split(":", 2)[0];
                                    List<Entry> section = new ArrayList<>();
                                    navigation.sections.put(name, section);
                                    open.add(section);
                                }
                            }

                            @Override
                            public void visit(Link link) {
                                String name = link.getDestination().split("#", 2)[0];
                                Path file = index.resolveSibling(name).normalize();
                                SitePage page = site.bySource().get(file);
                                if (page != null && !open.isEmpty() && listed.add(page)) {
                                    open.getLast().add(new Entry(page, SitePage.text(link)));
                                }
                            }
                        });
        navigation.addRest(site, listed);
        return navigation;
    }

    /// What the list leaves out stands below the page whose folder it is in, else at the end.
    private void addRest(Site site, Set<SitePage> listed) {
        List<Entry> rest = new ArrayList<>();
        for (SitePage page : site.pages()) {
            if (listed.contains(page)) {
                continue;
            }
            Entry entry = new Entry(page, page.title());
            if (sections.values().stream().noneMatch(all -> addBelow(all, entry))) {
                rest.add(entry);
            }
        }
        if (!rest.isEmpty()) {
            sections.put(REST, rest);
        }
    }

    /// Adds a page behind its index and those that are there already.
    private static boolean addBelow(List<Entry> all, Entry entry) {
        for (int i = 0; i < all.size(); i++) {
            SitePage index = all.get(i).page();
            if (isBelow(entry.page(), index)) {
                int at = i + 1;
                while (at < all.size() && isBelow(all.get(at).page(), index)) {
                    at++;
                }
                all.add(at, entry);
                return true;
            }
        }
        return false;
    }

    /// Whether a page is one of those that another one, `x.html` or `x/index.html`, is the index
    /// of.
    private static boolean isBelow(SitePage page, SitePage index) {
        String folder =
                index.path().endsWith("/index.html")
                        ? index.path().substring(0, index.path().length() - "index.html".length())
                        : index.path().replaceFirst("\\.html$", "/");
        return !page.is(index) && page.path().startsWith(folder);
    }

    /// The section of a page; empty for the start page.
    String section(SitePage page) {
        return sections.entrySet().stream()
                .filter(section -> section.getValue().stream().anyMatch(e -> e.page().is(page)))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    /// The menu of a page: its own section is open, and so are the pages below it and beside it.
    String html(SitePage page) {
        StringBuilder html = new StringBuilder();
        String here = section(page);
        sections.forEach((name, entries) -> {
            html.append(name.equals(here) ? "<details open>" : "<details>")
                    .append("<summary>")
                    .append(PageFrame.escaped(name))
                    .append("</summary>\n<ul>\n");
            for (Entry entry : entries) {
                entries.stream()
                        .filter(index -> isBelow(entry.page(), index.page()))
                        .findFirst()
                        .ifPresentOrElse(
                                index -> {
                                    if (page.is(index.page()) || isBelow(page, index.page())) {
                                        html.append(item(entry, page, " class=\"below\""));
                                    }
                                },
                                () -> html.append(item(entry, page, "")));
            }
            html.append("</ul></details>\n");
        });
        return html.toString();
    }

    private static String item(Entry entry, SitePage page, String style) {
        return "<li%s><a href=\"%s\"%s>%s</a></li>\n"
                .formatted(
                        style,
                        page.root() + entry.page().path(),
                        entry.page().is(page) ? " aria-current=\"page\"" : "",
                        PageFrame.escaped(entry.name()));
    }
}
