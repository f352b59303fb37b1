package io.margay.compat.tomcat.application;

import io.margay.servlet.resource.Mount;
import io.margay.servlet.xml.XmlElement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Reads `Resources`: files from elsewhere that an application has. Confined to one reading.
record ResourceSets(
        BiConsumer<XmlElement, String> errors, BiConsumer<XmlElement, String> warnings) {
    private static final String PACKAGE = "org.apache.catalina.webresources.";

    private static final String NESTED = PACKAGE + "JarWarResourceSet";

    private static final Map<String, Mount.Kind> KINDS =
            Map.of(
                    PACKAGE + "DirResourceSet",
                    Mount.Kind.FOLDER,
                    PACKAGE + "JarResourceSet",
                    Mount.Kind.JAR,
                    NESTED,
                    Mount.Kind.JAR,
                    PACKAGE + "FileResourceSet",
                    Mount.Kind.FILE);

    /// The sets in the order in which they are searched: those before the application's own files,
    /// then JARs, then those after all.
    List<Mount> read(XmlElement resources) {
        List<Mount> all = new ArrayList<>();
        for (String name : List.of("PreResources", "JarResources", "PostResources")) {
            for (XmlElement element : resources.all(name)) {
                Mount mount = mount(element, name.equals("PreResources"));
                if (mount != null) {
                    all.add(mount);
                }
            }
        }
        for (XmlElement child : resources.children()) {
            if (!child.name().matches("(Pre|Jar|Post)Resources")) {
                warnings.accept(child, "has no effect here");
            }
        }
        return all;
    }

    private @Nullable Mount mount(XmlElement element, boolean first) {
        Map<String, String> attributes = element.attributes();
        String className = attributes.getOrDefault("className", "");
        if (className.equals(PACKAGE + "EmptyResourceSet")) {
            return null;
        }
        Mount.Kind kind = KINDS.get(className);
        String base = attributes.getOrDefault("base", "");
        String path = attributes.getOrDefault("webAppMount", "/");
        String within = attributes.getOrDefault("internalPath", "/");
        String inner = className.equals(NESTED) ? attributes.getOrDefault("archivePath", "") : "";
        String wrong = null;
        if (kind == null) {
            wrong =
                    "className='"
                            + className
                            + "': only DirResourceSet, JarResourceSet, JarWarResourceSet and"
                            + " FileResourceSet are known";
        } else if (className.equals(NESTED) && inner.isEmpty()) {
            wrong = "archivePath is missing: the JAR in " + base;
        } else if (base.isEmpty() || base.contains("${") || !Path.of(base).isAbsolute()) {
            wrong = "base='" + base + "' must be an absolute path";
        } else if (!isPath(path) || !isPath(within)) {
            wrong = "webAppMount and internalPath are paths that begin with /";
        }
        if (wrong != null || kind == null) {
            errors.accept(element, String.valueOf(wrong));
            return null;
        }
        return new Mount(
                kind,
                Path.of(base).normalize(),
                inner.replaceFirst("^/", ""),
                bare(within).replaceFirst("^/", ""),
                bare(path),
                first,
                element.file() + ":" + element.line() + ":" + element.column());
    }

    private static boolean isPath(String path) {
        return path.isEmpty()
                || (path.startsWith("/")
                        && !(path + "/").contains("/../")
                        && !(path + "/").contains("/./")
                        && !path.contains("//"));
    }

    private static String bare(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
