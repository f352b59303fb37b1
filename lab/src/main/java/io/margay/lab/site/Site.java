package io.margay.lab.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// The folder that all servers of a run serve: the example applications, and what only the lab
/// needs. Stateless.
public final class Site {
    private static final int LARGE_BYTES = 100 * 1024;
    private static final int HUGE_BYTES = 4 * 1024 * 1024;
    private static final long LARGE_SEED = 100;

    private static final String PHP =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head><title>Heartbeat</title></head>
            <body>
            <h1>Heartbeat</h1>
            <p><?= date('D M d H:i:s T Y') ?></p>
            </body>
            </html>
            """;

    private static final List<String> TOWNS =
            List.of("Amsterdam", "Berlin", "Gent", "Kyoto", "La Paz", "Lagos", "Oslo", "Porto");

    private Site() {}

    /// Makes it.
    ///
    /// @param webapps the example applications
    /// @return `target`
    public static Path make(Path webapps, Path target) throws IOException {
        copy(webapps, target);
        LabApp.make(target.resolve("lab"));
        byte[] large = new byte[LARGE_BYTES];
        new SplittableRandom(LARGE_SEED).nextBytes(large);
        Files.write(Files.createDirectories(target.resolve("pages")).resolve("large.bin"), large);
        Files.writeString(target.resolve("pages/text.html"), text());
        byte[] huge = new byte[HUGE_BYTES];
        new SplittableRandom(LARGE_SEED).nextBytes(huge);
        Files.write(target.resolve("pages/huge.bin"), huge);
        Path small = target.resolve("pages/small.html");
        if (Files.exists(small)) {
            Path deep = Files.createDirectories(target.resolve("pages/a/b/c/d/e/f/g/h"));
            Files.copy(small, deep.resolve("small.html"));
        }
        Files.writeString(
                Files.createDirectories(target.resolve("heartbeat")).resolve("heartbeat.php"), PHP);
        return target;
    }

    /// A page of a table, as applications write them; gzip makes a sixth of it.
    private static String text() {
        SplittableRandom random = new SplittableRandom(LARGE_SEED);
        StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<title>Orders</title>\n<table>\n");
        while (page.length() < LARGE_BYTES) {
            page.append("<tr><td>").append(random.nextInt(100_000, 1_000_000));
            page.append("</td><td>").append(TOWNS.get(random.nextInt(TOWNS.size())));
            page.append("</td><td>").append(random.nextInt(1, 500)).append(".00</td></tr>\n");
        }
        return page.append("</table>\n").toString();
    }

    /// Makes one of a single application, at the root.
    public static Path ofApp(Path app, Path target) throws IOException {
        Files.createDirectories(target);
        if (Files.isDirectory(app)) {
            copy(app, target.resolve("ROOT"));
        } else {
            Files.copy(app, target.resolve("ROOT.war"));
        }
        return target;
    }

    /// Makes one of many copies of an application.
    ///
    /// @param app a WAR file or its folder
    public static Path ofApps(Path app, int copies, Path target) throws IOException {
        Files.createDirectories(target);
        for (int i = 1; i <= copies; i++) {
            if (Files.isDirectory(app)) {
                copy(app, target.resolve(appName(i).substring(1)));
            } else {
                Files.copy(app, target.resolve(appName(i).substring(1) + ".war"));
            }
        }
        return target;
    }

    /// The context path of a copy, from 1 on.
    public static String appName(int copy) {
        return "/app" + copy;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    /// Removes a folder and all in it.
    public static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
