package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads which files are sent where a path stands for none. Confined to one reading.
final class PageDirectives {
    private final ReadingContext context;

    PageDirectives(ReadingContext context) {
        this.context = context;
    }

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        if (!isOfRoot(server, section)) {
            context.changed(
                    node, "is followed outside of sections, and for the folder of DocumentRoot");
        } else if (directive == HttpdDirective.DIRECTORY_INDEX) {
            index(node, server);
        } else {
            fallback(node, server);
        }
    }

    /// Whether a section is about all files of a server.
    private boolean isOfRoot(HttpdServer server, HttpdSection section) {
        if (section.isNone()) {
            return true;
        }
        @Nullable Path folder =
                section.kind() == HttpdSection.Kind.DIRECTORY
                        ? context.path(section.argument())
                        : null;
        @Nullable Path root =
                server.documentRoot == null ? null : context.path(server.documentRoot);
        return folder != null && root != null && root.normalize().startsWith(folder.normalize());
    }

    /// Several lines are one; `disabled` alone takes back all.
    private void index(HttpdNode node, HttpdServer server) {
        List<String> names = server.index == null ? new ArrayList<>() : server.index;
        server.index = names;
        if (node.argument(0).equalsIgnoreCase("disabled") && node.size() == 1) {
            names.clear();
            context.honoured(node);
            return;
        }
        boolean all = true;
        for (String name : node.arguments()) {
            boolean below = !name.startsWith("/") && !name.contains("..");
            all &= below;
            if (below) {
                names.add(name);
            }
        }
        if (all) {
            context.honoured(node);
        } else {
            context.changed(node, "a folder's page is a file in it: others are not tried");
        }
    }

    private void fallback(HttpdNode node, HttpdServer server) {
        String path = node.argument(0);
        if (path.equalsIgnoreCase("disabled")) {
            server.fallback = "";
            context.honoured(node);
        } else if (!path.matches("/[^?]+") || path.contains("..") || path.endsWith("/")) {
            context.wrong(node, "\"" + path + "\" is not the path of a file");
        } else {
            server.fallback = path;
            if (server.aliases.isEmpty()) {
                context.honoured(node);
            } else {
                context.noted(node, "for the files of DocumentRoot, not for those of Alias");
            }
        }
    }
}
