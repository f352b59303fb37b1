package io.margay.lab.preset;

import io.margay.lab.load.Change;
import io.margay.lab.servers.Feature;
import io.margay.lab.site.ShopApp;
import io.margay.lab.wire.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What is asked for. Immutable.
///
/// @param paths by the feature that a server needs for it, the preferred first
/// @param change how it changes from request to request
/// @param contains what its unchanging part must hold
/// @param images whether the files beside it in `images/` belong to it
public record Page(
        String title, Map<Feature, String> paths, Change change, String contains, boolean images) {
    /// Prints date and time: by a JSP, its twin by a servlet, or by PHP.
    static final Page HEARTBEAT =
            new Page(
                    "heartbeat page",
                    ordered(
                            Feature.JSP,
                            "/heartbeat/heartbeat.jsp",
                            Feature.SERVLET,
                            "/lab/servlet",
                            Feature.PHP,
                            "/heartbeat/heartbeat.php"),
                    Change.EACH_SECOND,
                    "<h1>Heartbeat</h1>",
                    false);

    /// The same by a servlet on every server, so that no compiler of pages takes part.
    static final Page SERVLET =
            new Page(
                    "heartbeat servlet",
                    Map.of(Feature.SERVLET, "/lab/servlet"),
                    Change.EACH_SECOND,
                    "<h1>Heartbeat</h1>",
                    false);

    /// 1.5 KB.
    static final Page SMALL = file("1.5 KB file", "/pages/small.html");

    /// 100 KB.
    static final Page LARGE = file("100 KB file", "/pages/large.bin");

    /// 1.5 KB, eight folders deep.
    static final Page DEEP =
            file("1.5 KB file, eight folders deep", "/pages/a/b/c/d/e/f/g/h/small.html");

    /// 100 KB of text.
    static final Page TEXT = file("100 KB of text", "/pages/text.html");

    /// The same, compressed by gzip.
    static final Page TEXT_GZIP =
            new Page(
                    "100 KB of text, compressed",
                    Map.of(Feature.GZIP, "GZIP /pages/text.html"),
                    Change.NEVER,
                    "",
                    false);

    /// 4 MiB.
    static final Page HUGE = file("4 MiB file", "/pages/huge.bin");

    /// A file that the client has already.
    static final Page UNCHANGED = file("304 for a 1.5 KB file", "UNCHANGED /pages/small.html");

    /// A servlet that sleeps for 50 ms.
    static final Page SLEEP = servlet("servlet that sleeps", "sleep");

    /// A servlet that computes for about a millisecond.
    static final Page CPU = servlet("servlet that computes", "cpu");

    /// A servlet that computes for about ten milliseconds.
    static final Page HOG = servlet("servlet that computes long", "hog");

    /// A servlet that sleeps for 50 ms one time in a hundred.
    static final Page MIXED = servlet("servlet that sleeps now and then", "onepath");

    /// A page and its 66 images.
    static final Page GALLERY =
            new Page(
                    "page with 66 images",
                    Map.of(Feature.FILES, "/pages/gallery.html"),
                    Change.NEVER,
                    "",
                    true);

    /// 27 KB of content to the server and 51 KB back: the proportions of an application that was
    /// published as received 85 Mbit/s and sent 161.
    static final Page TRAFFIC =
            new Page(
                    "27 KB in, 51 KB out",
                    Map.of(Feature.SERVLET, "POST 27648 /lab/traffic?out=52224"),
                    Change.NEVER,
                    "",
                    false);

    /// 1 MiB of content to the server, and little back.
    static final Page UPLOAD =
            new Page(
                    "1 MiB in, 1 KB out",
                    Map.of(Feature.SERVLET, "POST 1048576 /lab/traffic?out=1024"),
                    Change.NEVER,
                    "",
                    false);

    /// A servlet that asks for no session.
    static final Page NO_SESSION = session("no session", "/lab/session/none");

    /// A servlet that reads an attribute of its session.
    static final Page SESSION_READ = session("session that is read", "SESSION /lab/session/read");

    /// A servlet that changes one of two attributes of its session, a number.
    static final Page SESSION_WRITTEN =
            session("session that is changed", "SESSION /lab/session/write");

    /// What the server of known cost answers.
    static final Page KNOWN =
            new Page("known page", Map.of(Feature.KNOWN, "/"), Change.NEVER, "Heartbeat", false);

    /// Prints date and time, by a servlet; a fixed page of the same size where there is none.
    static final Page LEAST =
            new Page(
                    "heartbeat servlet, or a fixed page of its size",
                    Map.of(Feature.SERVLET, "/lab/servlet", Feature.KNOWN, "/"),
                    Change.EACH_SECOND,
                    "Heartbeat",
                    false);

    /// An order as JSON, of a controller of Spring's.
    static final Page BOOT_JSON = boot("order as JSON", "/orders/7", "\"customer\":\"customer 7\"");

    /// An order as a page, which a view of Spring's writes.
    static final Page BOOT_PAGE = boot("order as a page", "/pages/7", "<h1>Order 7</h1>");

    /// What visitors of a shop who have logged in get: pages, and the files that belong to them.
    static final Page SHOP =
            new Page(
                    "visits of a shop",
                    Map.of(Feature.SHOP, ShopApp.VISITS),
                    Change.NEVER,
                    "",
                    false);

    /// The heartbeat servlet by the names of fifty hosts.
    static final Page HOSTS =
            new Page(
                    "heartbeat servlet by 50 hosts",
                    Map.of(Feature.SERVLET, "HOSTS 50 /lab/servlet"),
                    Change.EACH_SECOND,
                    "<h1>Heartbeat</h1>",
                    false);

    /// A page of somebody else's.
    public static Page own(String path, String contains) {
        return new Page(path, Map.of(Feature.WAR, path), Change.UNKNOWN, contains, false);
    }

    /// The requests of a trace.
    public static Page trace(Path file) {
        String title = "trace " + file.getFileName();
        return new Page(title, Map.of(Feature.WAR, "TRACE " + file), Change.UNKNOWN, "", false);
    }

    private static Page file(String title, String path) {
        return new Page(title, Map.of(Feature.FILES, path), Change.NEVER, "", false);
    }

    private static Page servlet(String title, String path) {
        return new Page(title, Map.of(Feature.SERVLET, "/lab/" + path), Change.NEVER, "ok", false);
    }

    private static Page session(String title, String path) {
        return new Page(title, Map.of(Feature.SESSION, path), Change.NEVER, "ok", false);
    }

    private static Page boot(String title, String path, String contains) {
        return new Page(title, Map.of(Feature.BOOT, path), Change.NEVER, contains, false);
    }

    private static Map<Feature, String> ordered(
            Feature a, String pathA, Feature b, String pathB, Feature c, String pathC) {
        Map<Feature, String> paths = new LinkedHashMap<>();
        paths.put(a, pathA);
        paths.put(b, pathB);
        paths.put(c, pathC);
        return paths;
    }

    /// The path on a server with those features, if it has the page.
    public Optional<String> path(Set<Feature> features) {
        return paths.entrySet().stream()
                .filter(entry -> features.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /// The page and what belongs to it.
    ///
    /// @param site where its files are
    public List<String> all(String path, Path site) throws IOException {
        if (path.equals(ShopApp.VISITS)) {
            return ShopApp.requests();
        }
        List<String> all = new ArrayList<>();
        String[] hosts = path.split(" ");
        if (hosts[0].equals("HOSTS")) {
            for (int i = 1; i <= Integer.parseInt(hosts[1]); i++) {
                all.add(Target.with(Map.of("host", "h" + i + ".example"), hosts[2]));
            }
            return all;
        }
        all.add(path);
        if (images) {
            String folder = path.substring(0, path.lastIndexOf('/') + 1) + "images";
            try (Stream<Path> files = Files.list(site.resolve(folder.substring(1)))) {
                files.map(file -> folder + "/" + file.getFileName()).sorted().forEach(all::add);
            }
        }
        return all;
    }
}
