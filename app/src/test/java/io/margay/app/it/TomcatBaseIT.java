package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Pem;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A `CATALINA_BASE` with three hosts, served by Tomcat and by `./margay tomcat` from the same
/// files: each request of `tomcat-base/requests.txt` must be answered alike. Compared are the
/// status, the fields of [#FIELDS] and the content.
final class TomcatBaseIT {
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

    /// What requests.txt calls the ports of the connectors, in their order.
    private static final List<Integer> PORTS = List.of(80, 443, 8080, 8090);

    /// What a server writes of an error that no application has a page for: each its own, so only
    /// status and fields are compared.
    private static final Pattern OWN_PAGE =
            Pattern.compile(
                    "(?s)<!doctype html>.*\\b[45][0-9][0-9]\\b.*", Pattern.CASE_INSENSITIVE);

    /// Requests whose answers differ, each with the reason. One that does not differ any more fails
    /// the test, too.
    private static final Map<String, String> EXCEPTIONS =
            Map.ofEntries(
                    Map.entry(
                            "http://main.example/folder/%2e%2e/notes.txt",
                            "front ends and servers read encoded dots differently: refused"),
                    Map.entry(
                            "-d a=%C3%A9 http://main.example/echo.jsp",
                            "a form without an encoding is in UTF-8, as browsers send them and "
                                    + "as a query is; Tomcat reads the body as ISO-8859-1"),
                    Map.entry(
                            "http://main.example/a%2Fb",
                            "is refused by both; what cannot be read as a path has an answer of "
                                    + "plain text"),
                    Map.entry(
                            "http://main.example:8090/no{such",
                            "is refused by both; what cannot be read as a path has an answer of "
                                    + "plain text"),
                    Map.entry(
                            "http://main.example/who.jsp?a=b|c",
                            "is refused by both; what cannot be read as a path has an answer of "
                                    + "plain text"),
                    Map.entry(
                            "http://closed.example/",
                            "is refused by both; the valve of a host has a page here, in Tomcat "
                                    + "nothing"),
                    Map.entry(
                            "http://closed.example/no-such-page",
                            "is refused by both; the valve of a host has a page here, in Tomcat "
                                    + "nothing"),
                    Map.entry(
                            "http://errors.example/none",
                            "a page that no application shows names no encoding"),
                    Map.entry(
                            "http://errors.example/a/fail.jsp?status=503",
                            "Tomcat has no page to show once a page has asked for its writer"),
                    Map.entry(
                            "-0 http://main.example/hints.jsp",
                            "interim responses are none for clients of HTTP/1.0 (RFC 9110 §15.2)"),
                    Map.entry(
                            "http://main.example/no-entry/notes.txt",
                            "is refused by both; a rule answers in plain text"),
                    Map.entry(
                            "http://main.example/gone",
                            "is refused by both; a rule answers in plain text"));

    private final Path home = Path.of(System.getProperty("margay.tomcat", "tomcat"));

    @TempDir Path folder;

    @Test
    void base_isServedAsByTomcat() throws Exception {
        Path base = folder.toRealPath().resolve("base");
        copy(ServerProcess.checkout().resolve("app/src/test/resources/tomcat-base"), base);
        Pem _ = Pem.make(base.resolve("conf"), "site"); // It leaves site.p12, too.
        List<String> requests =
                Files.readAllLines(base.resolve("requests.txt")).stream()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .toList();
        Map<String, String> differences = new LinkedHashMap<>();
        List<String> told = new ArrayList<>();
        try (ServerProcess tomcat = ServerProcess.tomcatBase(home, base);
                ServerProcess margay = ServerProcess.margay(folder, "tomcat", base.toString())) {
            int _ = tomcat.awaitTomcat();
            int _ = margay.awaitMargay();
            List<Integer> one = tomcat.ports(TOMCAT_PORT);
            List<Integer> other = margay.ports(MARGAY_PORT);
            for (String request : requests) {
                String expected = answer(request, one);
                String actual = answer(request, other);
                if (!expected.equals(actual)) {
                    differences.put(
                            request, "\n--- Tomcat\n" + expected + "\n--- Margay\n" + actual);
                }
            }
            told.addAll(
                    margay.output().stream()
                            .filter(line -> line.contains(" WARN ") || line.contains("/conf/"))
                            .toList());
            assertEquals(0, margay.terminate(), margay.toString());
        }
        StringBuilder unexpected = new StringBuilder();
        differences.forEach((request, difference) -> {
            if (!EXCEPTIONS.containsKey(request)) {
                unexpected.append("\n\n=== ").append(request).append(difference);
            }
        });
        assertEquals("", unexpected.toString());
        assertEquals(List.of(), told, "everything in the files is honoured");
        TreeSet<String> alike = new TreeSet<>(EXCEPTIONS.keySet());
        alike.removeAll(differences.keySet());
        assertEquals(List.of(), List.copyOf(alike), "exceptions that are none any more");
    }

    private static void copy(Path from, Path to) throws Exception {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    /// Status, fields and content as curl gets them; `{jar}` is a file of cookies of this server.
    ///
    /// @param ports of the connectors, in their order
    private String answer(String request, List<Integer> ports) throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "-sikg", "--path-as-is"));
        command.addAll(List.of(request.startsWith("-0 ") ? "-s" : "--http1.1"));
        command.addAll(List.of("--max-time", "30"));
        assertEquals(PORTS.size(), ports.size());
        for (int i = 0; i < ports.size(); i++) {
            String connector = ":" + PORTS.get(i) + ":127.0.0.1:" + ports.get(i);
            command.addAll(List.of("--connect-to", connector));
        }
        Path jar = folder.resolve("cookies-" + ports.getFirst());
        command.addAll(List.of(request.replace("{jar}", jar.toString()).split(" ")));
        Process process = new ProcessBuilder(command).start();
        try {
            byte[] output = process.getInputStream().readAllBytes();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS), request);
            return comparable(new String(output, StandardCharsets.UTF_8));
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
