package io.margay.app.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Block;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/// A page of the site. Its tree is changed while it is rendered, by one thread.
///
/// @param source the Markdown
/// @param path where it lies in the site, with slashes
/// @param ids what links name its headings by
record SitePage(Path source, String path, Node tree, Map<Heading, String> ids) {
    private static final Parser PARSER =
            Parser.builder().extensions(List.of(TablesExtension.create())).build();

    static SitePage read(Path source, String path) throws IOException {
        Node tree = PARSER.parse(Files.readString(source));
        Map<Heading, String> ids = new HashMap<>();
        Map<String, Integer> seen = new HashMap<>();
        for (Heading heading : headings(tree)) {
            String id = id(text(heading));
            int before = seen.merge(id, 1, Integer::sum) - 1;
            ids.put(heading, before == 0 ? id : id + "-" + before);
        }
        return new SitePage(source, path, tree, ids);
    }

    /// Whether another is the same page.
    boolean is(SitePage other) {
        return path.equals(other.path);
    }

    /// The fragment of a heading, as GitHub makes it.
    private static String id(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static List<Heading> headings(Node tree) {
        List<Heading> all = new ArrayList<>();
        tree.accept(
                new AbstractVisitor() {
                    @Override
                    public void visit(Heading heading) {
                        all.add(heading);
                    }
                });
        return all;
    }

    List<Heading> headings() {
        return headings(tree);
    }

    String id(Heading heading) {
        return ids.getOrDefault(heading, "");
    }

    /// The first heading, or the name of the file.
    String title() {
        List<Heading> all = headings();
        return all.isEmpty() ? path : text(all.getFirst());
    }

    /// What leads from this page to the top of the site: nothing, or `../` as often as needed.
    String root() {
        return "../".repeat((int) path.chars().filter(c -> c == '/').count());
    }

    /// What a reader sees of a part of a page, without its form; cells have blanks between them.
    static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(
                new AbstractVisitor() {
                    @Override
                    public void visit(Text part) {
                        text.append(part.getLiteral());
                    }

                    @Override
                    public void visit(Code part) {
                        text.append(part.getLiteral());
                    }

                    @Override
                    public void visit(FencedCodeBlock block) {
                        text.append(block.getLiteral());
                    }

                    @Override
                    public void visit(IndentedCodeBlock block) {
                        text.append(block.getLiteral());
                    }

                    @Override
                    public void visit(SoftLineBreak part) {
                        text.append(' ');
                    }

                    @Override
                    public void visit(HardLineBreak part) {
                        text.append(' ');
                    }

                    @Override
                    protected void visitChildren(Node parent) {
                        super.visitChildren(parent);
                        if (parent instanceof Block || parent instanceof CustomNode) {
                            text.append(' ');
                        }
                    }
                });
        return text.toString().strip();
    }
}
