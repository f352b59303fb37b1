package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `make strangers`: WARs of others, as Maven Central has them, deployed and crawled on Tomcat and
/// on Margay. Every difference is in `strangers-known.txt` with its reason, or fails.
final class StrangersSoak {
    private static final int WARS_MIN = 4;
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
            return new Stranger(
                    wars.resolve(coordinates[1] + "-" + coordinates[2] + ".war"),
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
        String[] home9 = {"-Duser.home=" + own, "-Djava.awt.headless=true"};
        try (ServerProcess tomcat = ServerProcess.tomcatBase(home, base, home9);
                ServerProcess server = margay(margay, own)) {
            return new Crawl(tomcat.awaitTomcat(), server.awaitMargay()).run();
        }
    }

    private static ServerProcess margay(Path folder, Path home) throws IOException {
        String options = ServerProcess.JAVA_OPTIONS + " -Duser.home=" + home;
        return ServerProcess.margay(
                folder,
                Map.of("MARGAY_JAVA_OPTS", options + " -Djava.awt.headless=true"),
                "run",
                "webapps/",
                "--http",
                "0");
    }
}
