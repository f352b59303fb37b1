package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.base.CatalinaProperties;
import io.margay.compat.tomcat.server.TomcatPlan.ContextPlan;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.servlet.xml.XmlElement;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The descriptors of contexts beside server.xml: `conf/ENGINE/HOST/*.xml`. Confined to one
/// reading.
record ContextFiles(Path base, CatalinaProperties properties, ElementAccount account) {
    /// The folder of a host's descriptors.
    static Path folder(Path base, XmlElement engine, XmlElement host) {
        String own = host.attributes().get("xmlBase");
        return own != null
                ? base.resolve(own)
                : base.resolve("conf")
                        .resolve(engine.attributes().getOrDefault("name", "Catalina"))
                        .resolve(host.attributes().getOrDefault("name", "localhost"));
    }

    /// The descriptors of a folder, in order.
    static List<Path> list(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.xml")) {
                found.forEach(files::add);
            }
        }
        files.sort(null);
        return files;
    }

    /// The name of the application that a descriptor is of.
    static WebAppsFolder.Application named(Path file) {
        String name = file.getFileName().toString();
        return WebAppsFolder.named(Path.of(name.substring(0, name.length() - 4)));
    }

    /// The same as the name of a WAR, `ROOT`, `a#b`, `a##2`.
    static String name(Path file) {
        WebAppsFolder.Application app = named(file);
        return WebAppsFolder.baseName(app.contextPath(), app.version());
    }

    /// Adds the contexts that have applications outside of the folder of the host.
    ///
    /// @param contexts by the names that their descriptors have or would have
    void plans(XmlElement engine, XmlElement host, Path apps, Map<String, ContextPlan> contexts) {
        Path folder = folder(base, engine, host);
        try {
            for (Path file : list(folder)) {
                XmlElement root = ServerXml.tree(file, properties, new ElementAccount());
                if (root != null) {
                    plan(file, root, apps, contexts);
                }
            }
        } catch (IOException e) {
            account.tell(folder.toString(), 0, "Context", Verdict.WRONG, "cannot be read: " + e);
        }
    }

    /// Tells of what the place of the file says.
    static void tell(XmlElement root, ElementAccount account) {
        if (root.attributes().containsKey("path")) {
            account.tell(
                    root, "path", Verdict.NOTED, "the name of the file says where it is served");
        }
    }

    private void plan(Path file, XmlElement root, Path apps, Map<String, ContextPlan> contexts) {
        WebAppsFolder.Application app = named(file);
        String docBase = root.attributes().get("docBase");
        if (docBase == null) {
            return;
        }
        String name = name(file);
        String shown = shown(app);
        Path at = HostReader.existing(apps.resolve(docBase).normalize());
        if (at.startsWith(apps)) {
            account.tell(
                    root, "docBase", Verdict.NOTED, "within appBase it is the name that counts");
        } else if (contexts.containsKey(name)) {
            account.tell(root, "docBase", Verdict.CHANGED, "another Context has the path " + shown);
        } else {
            contexts.put(name, new ContextPlan(app.contextPath(), app.version(), at, Map.of()));
            account.tell(root, Verdict.HONOURED, at + " at " + shown);
        }
    }

    private static String shown(WebAppsFolder.Application app) {
        String path = app.contextPath().isEmpty() ? "/" : app.contextPath();
        return app.version().isEmpty() ? path : path + "##" + app.version();
    }
}
