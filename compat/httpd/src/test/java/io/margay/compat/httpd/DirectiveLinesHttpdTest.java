package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Apache httpd itself, with all its modules, accepts each line of `directive-lines.txt` that is
/// not wrong here, so that nothing is counted there that no site can have. Lines of modules that do
/// not come with httpd are listed by their first words.
@Tag("slow")
final class DirectiveLinesHttpdTest {
    private static final Path LINES =
            Path.of(
                    System.getProperty("margay.root", ".."),
                    "compat/httpd/src/test/resources/directive-lines.txt");

    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");
    private static final int SECONDS_MAX = 60;

    /// Modules that others need come first.
    private static final List<String> FIRST =
            List.of(
                    "mpm_event",
                    "authn_core",
                    "authz_core",
                    "proxy",
                    "session",
                    "cache",
                    "dav",
                    "ldap",
                    "slotmem_shm",
                    "xml2enc",
                    "ssl",
                    "dbd",
                    "request",
                    "socache_shmcb");

    /// Those that cannot be loaded beside others.
    private static final Set<String> LEFT_OUT =
            Set.of(
                    "mpm_prefork",
                    "mpm_worker",
                    "cgi",
                    "suexec",
                    "authn_dbd",
                    "session_dbd",
                    "slotmem_plain");

    /// Directives of modules that are not httpd's, or are in `LEFT_OUT`.
    private static final Pattern OF_OTHERS =
            Pattern.compile(
                    "WSGI\\w+|Perl\\w+|Passenger\\w+|php_\\w+|Rails\\w+|ModPagespeed|XSendFile"
                            + "|SuexecUserGroup|AssignUserID|EnableExceptionHook"
                            + "|M(?:in|ax)SpareServers"
                            + "|DBDriver",
                    Pattern.CASE_INSENSITIVE);

    private static final Map<String, String> PLACES =
            Map.of(
                    "server", "%s\n",
                    "host", "<VirtualHost *:80>\n%s\n</VirtualHost>\n",
                    "directory", "<Directory @DIR@/www>\n%s\n</Directory>\n",
                    "htaccess", "<Directory @DIR@/www>\n%s\n</Directory>\n",
                    "location", "<Location /x>\n%s\n</Location>\n",
                    "files", "<FilesMatch \"\\.php$\">\n%s\n</FilesMatch>\n",
                    "proxy", "<Proxy balancer://lb>\n%s\n</Proxy>\n",
                    "if", "<If \"%%{QUERY_STRING} == 'x'\">\n%s\n</If>\n");

    private static final Pattern ERROR =
            Pattern.compile("Syntax error on line (\\d+) of \\S+:\\s*(.*)");

    private static final Pattern LISTED = Pattern.compile("(?m)^(<?)(\\w+) \\(\\w+\\.c\\)$");

    @TempDir Path folder;

    @BeforeEach
    void files() throws IOException {
        Files.createDirectories(folder.resolve("www"));
        Files.createDirectories(folder.resolve("logs"));
        Files.writeString(folder.resolve("mime.types"), "text/html html htm\n");
        for (String name : List.of("users", "groups", "map.txt", "map.db")) {
            Files.writeString(folder.resolve(name), "a b\n");
        }
    }

    @Test
    void everyLineThatIsNotWrong_isOneThatHttpdAccepts() throws Exception {
        String program = Program.of("apache2");
        List<String> lines =
                new ArrayList<>(
                        Files.readAllLines(LINES).stream()
                                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                                .filter(line -> !line.startsWith("wrong "))
                                .filter(line -> !OF_OTHERS.matcher(line.split(" ", 4)[2]).matches())
                                .toList());
        List<String> refused = new ArrayList<>();
        for (String error = refusal(program, lines, refused);
                !error.isEmpty();
                error = refusal(program, lines, refused)) {
            refused.set(refused.size() - 1, refused.getLast() + " => " + error);
        }
        assertEquals(List.of(), refused);
    }

    /// The list is httpd's own, of all its modules on this machine.
    @Test
    void everyDirectiveThatHttpdHas_isKnown() throws Exception {
        Path conf = Files.writeString(folder.resolve("httpd.conf"), head());
        Process process =
                new ProcessBuilder(Program.of("apache2"), "-L", "-f", conf.toString())
                        .redirectErrorStream(true)
                        .start();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertEquals(0, process.waitFor(), said);
        StringBuilder lines = new StringBuilder();
        int count = 0;
        for (Matcher line = LISTED.matcher(said); line.find(); ) {
            String name = line.group(2);
            count++;
            if (HttpdDirective.of(name) == null) {
                boolean section = !line.group(1).isEmpty();
                lines.append((section ? "<%s x>\n</%s>\n" : "%s x\n").formatted(name, name));
            }
        }
        assertTrue(count >= 500, said);
        Files.writeString(conf, lines);
        assertEquals(
                List.of(),
                GatewayFiles.read(List.of(conf), Map.of()).account().stream()
                        .filter(line -> line.text().startsWith("is unknown"))
                        .map(line -> line.directive())
                        .toList());
    }

    /// What httpd says of the first line that it does not accept, which is then among `refused`;
    /// empty when there is none.
    private String refusal(String program, List<String> lines, List<String> refused)
            throws Exception {
        StringBuilder text = new StringBuilder(head());
        Map<Integer, String> places = new HashMap<>();
        for (String line : lines) {
            String[] parts = line.split(" ", 3);
            String before = parts[2].startsWith("Rewrite") ? "RewriteEngine On\n" : "";
            String whole = before + PLACES.get(parts[1]).formatted(parts[2]);
            int at = (int) text.chars().filter(c -> c == '\n').count();
            text.append(whole.replace("@DIR@", folder.toString()));
            for (int i = 1; i <= whole.lines().count(); i++) {
                places.put(at + i, line);
            }
        }
        Path conf = Files.writeString(folder.resolve("httpd.conf"), text);
        Path output = folder.resolve("output.txt");
        Process process =
                new ProcessBuilder(program, "-t", "-f", conf.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("httpd does not end");
        }
        String said = Files.readString(output, StandardCharsets.ISO_8859_1);
        Matcher error = ERROR.matcher(said);
        if (!error.find()) {
            assertEquals(0, process.exitValue(), said);
            return "";
        }
        String line = places.getOrDefault(Integer.parseInt(error.group(1)), "the head");
        if (!lines.remove(line)) {
            throw new AssertionError(said);
        }
        refused.add(line);
        return error.group(2);
    }

    private String head() throws IOException {
        Set<String> modules = new LinkedHashSet<>(FIRST);
        try (Stream<Path> all = Files.list(MODULES)) {
            all.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.startsWith("mod_") && name.endsWith(".so"))
                    .map(name -> name.substring("mod_".length(), name.length() - ".so".length()))
                    .filter(name -> !LEFT_OUT.contains(name))
                    .sorted()
                    .forEach(modules::add);
        }
        StringBuilder head = new StringBuilder("ServerRoot \"" + folder + "\"\n");
        for (String module : modules) {
            head.append("LoadModule %s_module %s/mod_%s.so\n".formatted(module, MODULES, module));
        }
        return head.append(
                        """
                        PidFile httpd.pid
                        ErrorLog logs/error.log
                        ServerName localhost
                        DefaultRuntimeDir logs
                        Mutex pthread
                        TypesConfig /etc/mime.types
                        User www-data
                        Group www-data
                        Listen 127.0.0.1:9999
                        """)
                .toString();
    }
}
