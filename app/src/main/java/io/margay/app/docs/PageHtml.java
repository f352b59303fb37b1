package io.margay.app.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.Text;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;

/// The text of a page as HTML: headings that links can name, tables and code that scroll by
/// themselves, no markup of the source's own. Stateless.
final class PageHtml {
    /// In an order that is the same in each run: the same sources give the same bytes.
    private static final Map<String, String> SCROLLS =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry("aria-label", "Table"),
                            Map.entry("class", "scroll"),
                            Map.entry("role", "group"),
                            Map.entry("tabindex", "0")));

    private static final Pattern ALERT =
            Pattern.compile("\\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)]");

    private PageHtml() {}

    static String of(SitePage page) {
        frame(page.tree());
        Map<Node, String> styles = new HashMap<>();
        alerts(page.tree(), styles);
        return HtmlRenderer.builder()
                .extensions(List.of(TablesExtension.create()))
                .escapeHtml(true)
                .attributeProviderFactory(_ ->
                        (node, tag, attributes) ->
                                attributes.putAll(attributes(page, node, tag, styles)))
                .nodeRendererFactory(Scrolling::new)
                .build()
                .render(page.tree());
    }

    private static Map<String, String> attributes(
            SitePage page, Node node, String tag, Map<Node, String> styles) {
        String style = styles.get(node);
        if (style != null) {
            return Map.of("class", style);
        }
        return switch (node) {
            case Heading heading -> Map.of("id", page.id(heading));
            case FencedCodeBlock _ when tag.equals("pre") -> Map.of("tabindex", "0");
            case IndentedCodeBlock _ when tag.equals("pre") -> Map.of("tabindex", "0");
            case TableCell cell when cell.isHeader() && cell.getFirstChild() == null ->
                    Map.of("role", "cell");
            case Link link when link.getDestination().matches("https?:.*") ->
                    Map.of("rel", "noreferrer");
            default -> Map.of();
        };
    }

    /// Marks of generators go, and tables get a frame.
    private static void frame(Node tree) {
        List<Node> comments = new ArrayList<>();
        List<TableBlock> tables = new ArrayList<>();
        tree.accept(
                new AbstractVisitor() {
                    @Override
                    public void visit(HtmlBlock block) {
                        if (block.getLiteral().startsWith("<!--")) {
                            comments.add(block);
                        }
                    }

                    @Override
                    public void visit(CustomBlock block) {
                        if (block instanceof TableBlock table) {
                            tables.add(table);
                        }
                        visitChildren(block);
                    }
                });
        comments.forEach(Node::unlink);
        for (TableBlock table : tables) {
            if (!(table.getParent() instanceof Scroll)) {
                Scroll scroll = new Scroll();
                table.insertBefore(scroll);
                scroll.appendChild(table);
            }
        }
    }

    /// Quotations that begin with a word such as `[!NOTE]`, as GitHub shows them: the word becomes
    /// a title.
    private static void alerts(Node tree, Map<Node, String> styles) {
        tree.accept(
                new AbstractVisitor() {
                    @Override
                    public void visit(BlockQuote quote) {
                        if (quote.getFirstChild() instanceof Paragraph first
                                && first.getFirstChild() instanceof Text word) {
                            Matcher alert = ALERT.matcher(word.getLiteral());
                            if (alert.matches()) {
                                String kind = alert.group(1);
                                styles.put(
                                        quote,
                                        "markdown-alert markdown-alert-"
                                                + kind.toLowerCase(Locale.ROOT));
                                Paragraph title = new Paragraph();
                                title.appendChild(
                                        new Text(
                                                kind.charAt(0)
                                                        + kind.substring(1)
                                                                .toLowerCase(Locale.ROOT)));
                                styles.put(title, "markdown-alert-title");
                                first.insertBefore(title);
                                word.unlink();
                            }
                        }
                        visitChildren(quote);
                    }
                });
    }

    /// What a table stands in.
    private static final class Scroll extends CustomBlock {}

    /// Renders what a table stands in.
    private record Scrolling(HtmlNodeRendererContext context) implements NodeRenderer {
        @Override
        public Set<Class<? extends Node>> getNodeTypes() {
            return Set.of(Scroll.class);
        }

        @Override
        public void render(Node node) {
            context.getWriter().line();
            context.getWriter().tag("div", SCROLLS);
            for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
                context.render(child);
            }
            context.getWriter().tag("/div");
            context.getWriter().line();
        }
    }
}
