package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `make strangers`: WARs of others, as Maven Central has them, deployed and crawled on Tomcat and
/// on Margay. Every difference is in `strangers-known.txt` with its reason, or fails.
final class StrangersSoak {
    /// What Tomcat's own script opens to applications.
    private static final List<String> OPENED =
            Stream.of("lang", "lang.invoke", "lang.reflect", "io", "util", "util.concurrent")
                    .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED")
                    .toList();

    /// What the largest of them needs.
    private static final String HEAP = "-Xmx1g";

    private static final int NOT_FOUND = 404;
    private static final int WARS_MIN = 28;
    private static final Path LIST = ServerProcess.checkout().resolve("app/src/test/strangers.txt");
    private static final Path KNOWN =
            ServerProcess.checkout().resolve("app/src/test/strangers-known.txt");

    @TempDir Path folder;

    /// @param file of the WAR
    /// @param tomcat the version of the Tomcat that it is for
    private record Stranger(Path file, int tomcat) {
        static Stranger of(String line, Path wars) {
            String[] words = line.split(" ");
            String[] coordinates = words[0].split(":");
            String classifier = coordinates.length > 4 ? "-" + coordinates[4] : "";
            return new Stranger(
                    wars.resolve(coordinates[1] + "-" + coordinates[2] + classifier + ".war"),
                    Integer.parseInt(words[1]));
        }

        String name() {
            return file.getFileName().toString();
        }
    }

    @Test
    void wars_answerAsOnTomcat() throws Exception {
        Path wars = Path.of(System.getProperty("margay.strangers"));
        List<String> known = Files.readAllLines(KNOWN);
        StringBuilder table =
                new StringBuilder("| WAR | Tomcat | URLs | differences |\n|---|---|---|---|\n");
        List<String> unknown = new ArrayList<>();
        int count = 0;
        try (Stream<String> lines = Files.lines(LIST)) {
            for (String line : lines.filter(one -> !one.startsWith("#")).toList()) {
                Stranger stranger = Stranger.of(line, wars);
                if (!Files.exists(stranger.file())) {
                    continue;
                }
                Crawl.Result result;
                try {
                    result = crawl(stranger, folder.resolve("crawl-" + count));
                } catch (AssertionError e) {
                    result = new Crawl.Result(0, List.of(String.valueOf(e.getMessage())));
                }
                table.append(
                        "| %s | %d | %d | %d |%n"
                                .formatted(
                                        stranger.name(),
                                        stranger.tomcat(),
                                        result.urls(),
                                        result.differences().size()));
                for (String difference : result.differences()) {
                    String told = stranger.name() + " " + difference;
                    table.append("|   | | | ")
                            .append(difference.replace("|", "\\|"))
                            .append(" |\n");
                    if (known.stream().noneMatch(one -> !one.isEmpty() && told.startsWith(one))) {
                        unknown.add(told);
                    }
                }
                count++;
                Files.writeString(
                        ServerProcess.checkout().resolve("app/target/strangers.md"), table);
            }
        }
        assertTrue(count >= WARS_MIN, "only " + count + " WARs are in " + wars);
        assertEquals(List.of(), unknown);
    }

    private static Crawl.Result crawl(Stranger stranger, Path own) throws Exception {
        Path home = Path.of(System.getProperty("margay.tomcat" + stranger.tomcat()));
        Path base = Files.createDirectories(own.resolve("tomcat"));
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("webapps"));
        Files.copy(home.resolve("conf/web.xml"), base.resolve("conf/web.xml"));
        Files.copy(stranger.file(), base.resolve("webapps/app.war"));
        Files.writeString(
                base.resolve("conf/server.xml"),
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
        Path margay = Files.createDirectories(own.resolve("margay/webapps")).getParent();
        Files.copy(stranger.file(), margay.resolve("webapps/app.war"));
        List<String> options = new ArrayList<>(OPENED);
        options.addAll(List.of(HEAP, "-Duser.home=" + own, "-Djava.awt.headless=true"));
        try (ServerProcess tomcat =
                        ServerProcess.tomcatBase(home, base, options.toArray(String[]::new));
                ServerProcess server = margay(margay, own)) {
            int there = tomcat.awaitTomcat();
            OptionalInt here = started(server);
            if (here.isPresent()) {
                return new Crawl(there, here.getAsInt()).run();
            }
            // What starts on neither, as for want of a library, is alike.
            int status = Crawl.status(there);
            return new Crawl.Result(
                    1,
                    status == NOT_FOUND
                            ? List.of()
                            : List.of("/app/ status " + status + ", here it does not start"));
        }
    }

    /// Where it serves; nothing if its application does not start, and so it ends.
    private static OptionalInt started(ServerProcess server) {
        try {
            return OptionalInt.of(server.awaitMargay());
        } catch (AssertionError e) {
            String said = String.valueOf(e.getMessage());
            if (Stream.of("does not start", "is not deployed", "cannot be read")
                    .anyMatch(said::contains)) {
                return OptionalInt.empty();
            }
            throw e;
        }
    }

    private static ServerProcess margay(Path folder, Path home) throws IOException {
        String options = HEAP + " -Duser.home=" + home;
        return ServerProcess.margay(
                folder,
                Map.of("MARGAY_JAVA_OPTS", options + " -Djava.awt.headless=true"),
                "run",
                "webapps/",
                "--http",
                "0");
    }
}
