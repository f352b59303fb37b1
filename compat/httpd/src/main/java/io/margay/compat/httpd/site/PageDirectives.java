package io.margay.compat.httpd.site;

import io.margay.compat.httpd.access.HttpdAccess;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import java.util.ArrayList;
import java.util.List;

/// Reads which files are sent where a path stands for none. Confined to one reading.
record PageDirectives(ReadingContext context) {
    /// @param access of the section, or of the server outside of all
    void read(HttpdDirective directive, HttpdNode node, HttpdAccess access) {
        if (directive == HttpdDirective.DIRECTORY_INDEX) {
            index(node, access);
        } else {
            fallback(node, access);
        }
    }

    /// Several lines are one; `disabled` alone takes back all.
    private void index(HttpdNode node, HttpdAccess access) {
        if (node.size() == 0) {
            context.wrong(node, "write DirectoryIndex NAME, or disabled");
            return;
        }
        if (node.argument(0).equalsIgnoreCase("disabled") && node.size() == 1) {
            access.index(List.of());
            context.honoured(node);
            return;
        }
        List<String> before = access.pages().index();
        List<String> names = new ArrayList<>(before == null ? List.of() : before);
        boolean all = true;
        for (String name : node.arguments()) {
            boolean known = isPath(name) && !name.endsWith("/");
            all &= known;
            if (known) {
                names.add(name);
            }
        }
        access.index(names);
        if (all) {
            context.honoured(node);
        } else {
            context.changed(node, "a folder's page is a file, by its path: others are not tried");
        }
    }

    private void fallback(HttpdNode node, HttpdAccess access) {
        String path = node.argument(0);
        if (path.equalsIgnoreCase("disabled")) {
            access.fallback("");
            context.honoured(node);
        } else if (!isPath(path) || path.endsWith("/")) {
            context.wrong(node, "\"" + path + "\" is not the path of a file");
        } else {
            access.fallback(path);
            context.honoured(node);
        }
    }

    private static boolean isPath(String text) {
        return text.matches("[^?#:]+") && !List.of(text.split("/")).contains("..");
    }
}
