package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What Tomcat and `./margay tomcat` have answered to the same requests, one `CATALINA_BASE`
/// serving both. Compared are the status, the fields of [#FIELDS] and the content.
///
/// @param differences between the answers, by request
/// @param output what Margay has written
record TomcatBeside(Map<String, String> differences, List<String> output) {
    /// A `server.xml` with one host, at a port that the system chooses.
    static final String ONE_HOST =
            """
            <Server port="-1">
              <Service name="Catalina">
                <Connector port="0" address="127.0.0.1" protocol="HTTP/1.1"/>
                <Engine name="Catalina" defaultHost="localhost">
                  <Host name="localhost" appBase="webapps" autoDeploy="false"/>
                </Engine>
              </Service>
            </Server>
            """;

    private static final List<String> FIELDS =
            List.of(
                    "content-type",
                    "location",
                    "www-authenticate",
                    "allow",
                    "content-range",
                    "link");

    private static final Pattern TOMCAT_PORT =
            Pattern.compile("Starting ProtocolHandler \\[\"https?-[^\"]*-auto-[0-9]+-([0-9]+)\"");

    private static final Pattern MARGAY_PORT = Pattern.compile("margay: https?://[^ /]+:([0-9]+)/");

    /// What a server writes of an error that no application has a page for: each its own, so only
    /// status and fields are compared.
    private static final Pattern OWN_PAGE =
            Pattern.compile(
                    "(?s)<!doctype html>.*\\b[45][0-9][0-9]\\b.*", Pattern.CASE_INSENSITIVE);

    /// What curl writes after each answer.
    private static final String END = "\n=== the end of an answer ===\n";

    /// Starts both servers, asks and ends them.
    ///
    /// @param home of Tomcat
    /// @param base whose connectors have ports that the system chooses
    /// @param folder for files of both
    /// @param named what the requests call the ports of the connectors, in their order
    /// @param requests options of curl and a URL each; `{jar}` is a file of cookies of the server
    /// @param options of the JVM of Tomcat
    static TomcatBeside of(
            Path home,
            Path base,
            Path folder,
            List<Integer> named,
            List<String> requests,
            String... options)
            throws Exception {
        Map<String, String> differences = new LinkedHashMap<>();
        try (ServerProcess tomcat = ServerProcess.tomcatBase(home, base, options);
                ServerProcess margay = ServerProcess.margay(folder, "tomcat", base.toString())) {
            int _ = tomcat.awaitTomcat();
            int _ = margay.awaitMargay();
            List<Integer> one = tomcat.ports(TOMCAT_PORT);
            List<Integer> other = margay.ports(MARGAY_PORT);
            for (List<String> some : together(requests)) {
                List<String> expected = answers(some, folder, named, one);
                List<String> actual = answers(some, folder, named, other);
                for (int i = 0; i < some.size(); i++) {
                    if (!expected.get(i).equals(actual.get(i))) {
                        differences.put(
                                some.get(i),
                                "\n--- Tomcat\n"
                                        + expected.get(i)
                                        + "\n--- Margay\n"
                                        + actual.get(i));
                    }
                }
            }
            assertEquals(0, margay.terminate(), margay.toString());
            return new TomcatBeside(differences, margay.output());
        }
    }

    /// What Margay has said of the base and its applications.
    List<String> told() {
        return output.stream()
                .filter(line -> line.contains(" WARN ") || line.contains("/conf/"))
                .toList();
    }

    /// Fails unless the requests of `exceptions` are those that are answered otherwise: one that
    /// does not differ any more is as wrong as one that does.
    ///
    /// @param exceptions the reason why, by request
    void assertAlike(Map<String, String> exceptions) {
        StringBuilder unexpected = new StringBuilder();
        differences.forEach((request, difference) -> {
            if (!exceptions.containsKey(request)) {
                unexpected.append("\n\n=== ").append(request).append(difference);
            }
        });
        assertEquals("", unexpected.toString());
        TreeSet<String> alike = new TreeSet<>(exceptions.keySet());
        alike.removeAll(differences.keySet());
        assertEquals(List.of(), List.copyOf(alike), "exceptions that are none any more");
    }

    /// Copies a folder with all that is in it.
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    /// The requests in their order, with those that follow each other together that are a URL and
    /// nothing else: one curl asks them all, on connections that are kept.
    private static List<List<String>> together(List<String> requests) {
        List<List<String>> groups = new ArrayList<>();
        boolean alone = true;
        for (String request : requests) {
            boolean plain = request.indexOf(' ') < 0;
            if (alone || !plain) {
                groups.add(new ArrayList<>());
            }
            groups.getLast().add(request);
            alone = !plain;
        }
        return groups;
    }

    /// Status, fields and content of each as curl gets them.
    private static List<String> answers(
            List<String> requests, Path folder, List<Integer> named, List<Integer> ports)
            throws Exception {
        String first = requests.getFirst();
        List<String> command =
                new ArrayList<>(List.of(Program.of("curl"), "-sikg", "--path-as-is"));
        command.addAll(List.of(first.startsWith("-0 ") ? "-s" : "--http1.1"));
        command.addAll(List.of("--max-time", "30", "-w", END));
        assertEquals(named.size(), ports.size());
        for (int i = 0; i < ports.size(); i++) {
            String connector = ":" + named.get(i) + ":127.0.0.1:" + ports.get(i);
            command.addAll(List.of("--connect-to", connector));
        }
        Path jar = folder.resolve("cookies-" + ports.getFirst());
        for (String request : requests) {
            command.addAll(List.of(request.replace("{jar}", jar.toString()).split(" ")));
        }
        Process process = new ProcessBuilder(command).start();
        try {
            byte[] output = process.getInputStream().readAllBytes();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS), first);
            String all = new String(output, StandardCharsets.UTF_8);
            List<String> each = List.of(all.split(Pattern.quote(END), -1));
            assertEquals(requests.size() + 1, each.size(), all);
            return each.subList(0, requests.size()).stream().map(TomcatBeside::comparable).toList();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String comparable(String output) {
        int end = output.indexOf("\r\n\r\n");
        assertTrue(end > 0, output);
        String[] head = output.substring(0, end).split("\r\n");
        TreeSet<String> fields = new TreeSet<>();
        for (String line : head) {
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            if (FIELDS.contains(name)) {
                fields.add(name + ": " + value(name, line.substring(colon + 1).strip()));
            }
        }
        if (head[0].contains(" 103")) {
            return "103 " + fields + "\n" + comparable(output.substring(end + 4));
        }
        String body = output.substring(end + 4).replace("\r\n", "\n");
        boolean own = OWN_PAGE.matcher(body).matches();
        return head[0].split(" ")[1]
                + "\n"
                + String.join("\n", fields)
                + "\n\n"
                + (own ? "(page of the server)" : body);
    }

    /// Neither blanks nor case count in the parameters of a type, nor quotes around a token, nor
    /// the order of methods.
    private static String value(String name, String value) {
        return switch (name) {
            case "content-type" -> value.replace(" ", "").toLowerCase(Locale.ROOT);
            case "www-authenticate" -> value.replace("charset=\"UTF-8\"", "charset=UTF-8");
            case "allow" -> new TreeSet<>(List.of(value.split(", *"))).toString();
            default -> value;
        };
    }
}
