package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `make shadow-tomcats`: `margay shadow` in front of two equal Tomcats, where nothing differs, and
/// in front of a Tomcat and Margay, where every difference is in `shadow-known.txt` with its
/// reason.
final class ShadowStrangersSoak {
    private static final int REQUESTS = Integer.getInteger("margay.shadow.requests", 10_000);
    private static final int SEED = Integer.getInteger("margay.shadow.seed", 1);
    private static final Path HOME = Path.of(System.getProperty("margay.tomcat9"));
    private static final Path WARS = Path.of(System.getProperty("margay.strangers"));
    private static final int PAGES_MAX = 1_000;
    private static final int APPLICATIONS_MIN = 10;
    private static final String HEAP = "-Xmx1g";

    /// Applications of others, of those that `make strangers` compares, that start on Tomcat with
    /// this Java, listen at no other ports, and do not answer by what was asked for before.
    private static final List<String> STRANGERS =
            List.of(
                    "artemis-plugin-2.18.0",
                    "axis2-webapp-1.7.9",
                    "hawtio-default-2.17.7",
                    "hawtio-war-2.17.7",
                    "jolokia-war-unsecured-1.7.2",
                    "samples-web-1.3.2",
                    "solr-3.3.0",
                    "tomcatcontext-war-1.10.21");

    private static final List<String> OPENED =
            Stream.of("lang", "lang.invoke", "lang.reflect", "io", "util", "util.concurrent")
                    .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED")
                    .toList();

    private static final Pattern DIFFERENCE =
            Pattern.compile("</b> × ([^<]+)</summary><p>As in <code>([^<]+)</code>");

    @TempDir Path folder;

    private final List<String> contexts = new ArrayList<>();

    /// A base with Tomcat's own applications, and with those of others.
    private Path base(String name, boolean strangers) throws IOException {
        contexts.clear();
        Path base = folder.resolve(name);
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.copy(HOME.resolve("conf/web.xml"), conf.resolve("web.xml"));
        Path apps = Files.createDirectories(base.resolve("webapps"));
        for (String one : List.of("docs", "examples")) {
            Files.createSymbolicLink(apps.resolve(one), HOME.resolve("webapps/" + one));
            contexts.add("/" + one + "/");
        }
        for (String one : strangers ? STRANGERS : List.<String>of()) {
            Path war = WARS.resolve(one + ".war");
            if (Files.exists(war)) {
                String context = one.replaceFirst("-[0-9].*", "");
                Files.copy(war, apps.resolve(context + ".war"));
                contexts.add("/" + context + "/");
            }
        }
        Files.writeString(
                conf.resolve("server.xml"),
                """
                <Server port="-1">
                  <Service name="Catalina">
                    <Connector port="0" address="127.0.0.1" protocol="HTTP/1.1"/>
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps" autoDeploy="false"/>
                    </Engine>
                  </Service>
                </Server>
                """);
        return base;
    }

    private static ServerProcess tomcat(Path base) throws IOException {
        List<String> options = new ArrayList<>(OPENED);
        options.addAll(List.of(HEAP, "-Duser.home=" + base, "-Djava.awt.headless=true"));
        return ServerProcess.tomcatBase(HOME, base, options.toArray(String[]::new));
    }

    private static ServerProcess margay(Path base) throws IOException {
        String options = HEAP + " -Djava.awt.headless=true -Duser.home=" + base;
        return ServerProcess.margay(
                base,
                Map.of("MARGAY_JAVA_OPTS", options),
                "tomcat",
                base.toString(),
                "--http",
                "0");
    }

    @Test
    void equalTomcats_differInNothing() throws Exception {
        try (ServerProcess old = tomcat(base("old", false));
                ServerProcess fresh = tomcat(base("new", false))) {
            String page = compare(old.awaitTomcat(), fresh.awaitTomcat());
            assertTrue(page.contains(" requests compared: no difference."), page);
        }
    }

    @Test
    void tomcatAndMargay_differInWhatIsKnown() throws Exception {
        try (ServerProcess old = tomcat(base("old", true));
                ServerProcess fresh = margay(base("new", true))) {
            String page = compare(old.awaitTomcat(), fresh.awaitMargay());
            assertTrue(contexts.size() >= APPLICATIONS_MIN, contexts::toString);
            List<String> known =
                    Files.readAllLines(
                            ServerProcess.checkout().resolve("app/src/test/shadow-known.txt"));
            TreeSet<String> unknown = new TreeSet<>();
            Matcher found = DIFFERENCE.matcher(page);
            while (found.find()) {
                String told =
                        found.group(1)
                                .replace("&gt;", ">")
                                .replace("&lt;", "<")
                                .replace("GET (others)", "GET " + found.group(2));
                if (known.stream().noneMatch(one -> isKnown(one, told))) {
                    unknown.add(told + " as in " + found.group(2));
                }
            }
            assertEquals("", String.join("\n", unknown));
        }
    }

    /// @param line the beginning of what is reported, or, behind a star, its end
    private static boolean isKnown(String line, String told) {
        return line.startsWith("*")
                ? told.endsWith(line.substring(1))
                : !line.isEmpty() && told.startsWith(line);
    }

    /// Follows all links, browses, and returns the report, which `app/target` keeps.
    private String compare(int old, int fresh) throws Exception {
        Path report = folder.resolve("report.html");
        try (ShadowedServers shadow =
                new ShadowedServers(folder, old, fresh, PAGES_MAX, "--report", report.toString())) {
            int pages = shadow.follow(contexts);
            shadow.browse(REQUESTS, SEED);
            List<String> text = new ArrayList<>(shadow.report());
            text.addFirst(pages + " pages");
            Path kept = ServerProcess.checkout().resolve("app/target");
            Files.write(kept.resolve("shadow-tomcats.txt"), text);
            String page = Files.readString(report);
            Files.writeString(kept.resolve("shadow-tomcats.html"), page);
            assertTrue(pages > 100, text::toString);
            return page;
        }
    }
}
