package io.margay.app.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.jspecify.annotations.Nullable;

/// The links of a page, changed from files of a checkout to places of the site. Confined to the
/// thread that renders.
final class PageLinks {
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*|#.*");

    /// More files than this of one folder are not copied.
    private static final int FILES_MAX = 100;

    private final Site site;
    private final SitePage page;
    private final List<Path> files = new ArrayList<>();

    PageLinks(Site site, SitePage page) {
        this.site = site;
        this.page = page;
    }

    /// What the links lead to and is not a page: to be copied.
    List<Path> files() {
        return files;
    }

    /// A link to what is not there becomes its text: a distribution has no sources.
    void rewrite() {
        page.tree()
                .accept(
                        new AbstractVisitor() {
                            @Override
                            public void visit(Link link) {
                                visitChildren(link);
                                String place = place(link.getDestination());
                                if (place == null) {
                                    unwrap(link);
                                } else {
                                    link.setDestination(place);
                                }
                            }

                            @Override
                            public void visit(Image image) {
                                String place = place(image.getDestination());
                                if (place == null) {
                                    unwrap(image);
                                } else {
                                    image.setDestination(place);
                                }
                            }
                        });
    }

    private static void unwrap(Node link) {
        Node after = link;
        for (Node child = link.getFirstChild(); child != null; child = link.getFirstChild()) {
            after.insertAfter(child);
            after = child;
        }
        link.unlink();
    }

    private @Nullable String place(String destination) {
        if (ELSEWHERE.matcher(destination).matches()) {
            return destination;
        }
        int hash = destination.indexOf('#');
        String name = hash < 0 ? destination : destination.substring(0, hash);
        Path file = page.source().resolveSibling(name).normalize();
        SitePage other = site.bySource().get(file);
        if (other != null) {
            return page.root() + other.path() + (hash < 0 ? "" : destination.substring(hash));
        }
        if (!file.startsWith(site.home()) || !Files.exists(file)) {
            return null;
        }
        if (Files.isDirectory(file)) {
            return folder(file);
        }
        files.add(file);
        return page.root() + site.place(file);
    }

    /// A folder is shown by its description, else by its first file.
    private @Nullable String folder(Path folder) {
        try (Stream<Path> inside = Files.walk(folder)) {
            List<Path> found =
                    inside.filter(file -> Files.isRegularFile(file) && !isMade(folder, file))
                            .sorted()
                            .limit(FILES_MAX)
                            .toList();
            if (found.isEmpty()) {
                return null;
            }
            files.addAll(found);
            Path shown =
                    found.stream()
                            .filter(file -> file.endsWith("README.md") || file.endsWith("pom.xml"))
                            .findFirst()
                            .orElse(found.getFirst());
            return page.root() + site.place(shown);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether a build has made the file, or the system hides it.
    private static boolean isMade(Path folder, Path file) {
        for (Path part : folder.relativize(file)) {
            if (part.toString().equals("target") || part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }
}
