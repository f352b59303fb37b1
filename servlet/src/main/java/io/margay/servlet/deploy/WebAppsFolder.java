package io.margay.servlet.deploy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What a folder of applications holds, by Tomcat's naming: `ROOT` is the root, `a#b` is `/a/b`,
/// `a##2` is version 2 of `/a`. Immutable; read once.
///
/// @param applications to deploy, by context path and version
/// @param skipped what is not deployed and why, one line each
public record WebAppsFolder(List<Application> applications, List<String> skipped) {
    /// One application of the folder.
    ///
    /// @param file the WAR or folder
    /// @param contextPath empty for the root
    /// @param version what follows `##`, or empty
    public record Application(Path file, String contextPath, String version) {}

    public WebAppsFolder {
        applications = List.copyOf(applications);
        skipped = List.copyOf(skipped);
    }

    /// Whether a folder holds applications rather than being one.
    public static boolean looksLikeOne(Path folder) {
        return Files.isDirectory(folder)
                && !Files.exists(folder.resolve("WEB-INF"))
                && !Files.exists(folder.resolve("index.html"))
                && !Files.exists(folder.resolve("index.jsp"));
    }

    /// Reads a folder.
    public static WebAppsFolder read(Path folder) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            stream.forEach(entries::add);
        } catch (IOException e) {
            throw new DeploymentException(
                    folder
                            + ": cannot be read: "
                            + Causes.text(e)
                            + ". Correct the path or its permissions.",
                    e);
        }
        // Not by Comparator.comparing, whose code the JVM makes at each start.
        entries.sort((one, other) -> one.toString().compareTo(other.toString()));
        List<String> skipped = new ArrayList<>();
        List<Application> found = applications(entries, skipped);
        found.sort(WebAppsFolder::byPath);
        return new WebAppsFolder(found, skipped);
    }

    private static int byPath(Application one, Application other) {
        int paths = one.contextPath.compareTo(other.contextPath);
        return paths == 0 ? one.version.compareTo(other.version) : paths;
    }

    private static List<Application> applications(List<Path> entries, List<String> skipped) {
        Map<String, Path> byName = new TreeMap<>();
        for (Path entry : entries) {
            String file = entry.getFileName().toString();
            boolean war = isWar(file) && Files.isRegularFile(entry);
            if (file.startsWith(".")) {
                skipped.add(entry + ": hidden, not deployed");
            } else if (!war && !Files.isDirectory(entry)) {
                skipped.add(entry + ": neither a WAR nor a folder, not deployed");
            } else {
                String name = war ? file.substring(0, file.length() - 4) : file;
                Path before = byName.put(name, entry);
                if (before != null) {
                    Path copy = war ? before : entry;
                    byName.put(name, war ? entry : before);
                    skipped.add(
                            copy
                                    + ": taken for the unpacked copy of "
                                    + byName.get(name).getFileName()
                                    + ", not deployed");
                }
            }
        }
        List<Application> found = new ArrayList<>();
        byName.forEach((name, file) -> {
            Application application = named(name, file);
            if (contextPathAllowed(application.contextPath())) {
                found.add(application);
            } else {
                skipped.add(
                        file
                                + ": its name makes the context path \""
                                + WarCheck.printable(application.contextPath())
                                + "\", which cannot be; not deployed. Rename it.");
            }
        });
        return found;
    }

    private static boolean isWar(String file) {
        return file.toLowerCase(Locale.ROOT).endsWith(".war");
    }

    private static Application named(String name, Path file) {
        int mark = name.indexOf("##");
        String base = mark < 0 ? name : name.substring(0, mark);
        String version = mark < 0 ? "" : name.substring(mark + 2);
        return new Application(file, contextPath(base), version);
    }

    /// What a WAR or folder that is deployed by itself is by its name.
    public static Application named(Path file) {
        return named(baseName(file), file);
    }

    /// The name of a WAR or folder, without `.war`.
    public static String baseName(Path file) {
        String name = file.getFileName().toString();
        return isWar(name) ? name.substring(0, name.length() - 4) : name;
    }

    /// The name, without `.war`, that stands for a context path and a version.
    ///
    /// @param version empty for none
    public static String baseName(String contextPath, String version) {
        String base = contextPath.isEmpty() ? "ROOT" : contextPath.substring(1).replace('/', '#');
        return version.isEmpty() ? base : base + "##" + version;
    }

    private static String contextPath(String base) {
        return base.equals("ROOT") ? "" : "/" + base.replace('#', '/');
    }

    /// No empty segments, dots or characters that a URL cannot carry unambiguously.
    static boolean contextPathAllowed(String path) {
        if (path.isEmpty()) {
            return true;
        }
        for (String segment : path.substring(1).split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                return false;
            }
        }
        return path.chars()
                .noneMatch(c -> Character.isISOControl(c) || "\\;?#%\"<>".indexOf(c) >= 0);
    }
}
