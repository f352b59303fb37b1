package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A block with what it inherits from those around it. Confined to one reading.
///
/// @param id by which rules know requests that it is about
/// @param node of the block; null for `http`
record Scope(int id, @Nullable Scope parent, @Nullable NginxNode node, List<NginxNode> nodes) {
    /// The directives of a name in this block alone.
    List<NginxNode> own(String name) {
        return nodes.stream().filter(one -> one.name().equals(name)).map(NginxNode::asked).toList();
    }

    /// Those of the nearest block that has some.
    List<NginxNode> nearest(String name) {
        List<NginxNode> own = own(name);
        return !own.isEmpty() || parent == null ? own : parent.nearest(name);
    }

    /// The last one of the nearest block that has one.
    @Nullable NginxNode last(String name) {
        List<NginxNode> all = nearest(name);
        return all.isEmpty() ? null : all.getLast();
    }

    /// Its first word, or another text where there is none.
    String word(String name, String otherwise) {
        NginxNode node = last(name);
        return node == null ? otherwise : node.word(0);
    }

    /// Whether it is on.
    boolean isOn(String name, boolean otherwise) {
        return word(name, otherwise ? "on" : "off").toLowerCase(Locale.ROOT).equals("on");
    }

    /// Whether a directive of a name stands in this block, or in one in it.
    boolean has(String name) {
        return has(nodes, name);
    }

    private static boolean has(List<NginxNode> nodes, String name) {
        return nodes.stream().anyMatch(one -> one.name().equals(name) || has(one.block(), name));
    }

    /// Whether a place is shown for errors, in this block, in one in it or in one around it.
    boolean showsErrorsBy(String place) {
        return (parent != null && parent.showsErrorsBy(place)) || showsErrorsBy(nodes, place);
    }

    private static boolean showsErrorsBy(List<NginxNode> nodes, String place) {
        return nodes.stream()
                .anyMatch(one ->
                        (one.name().equals("error_page") && one.words().getLast().equals(place))
                                || (!one.name().equals("server")
                                        && showsErrorsBy(one.block(), place)));
    }

    /// Whether requests are passed on in this block.
    boolean passes() {
        return !own("proxy_pass").isEmpty() || !own("fastcgi_pass").isEmpty();
    }

    /// Whether it is a server, or an `if` in one.
    boolean isOfServer() {
        Scope at = this;
        while (at.node != null && at.node.name().equals("if") && at.parent != null) {
            at = at.parent;
        }
        return at.node != null && at.node.name().equals("server");
    }
}
