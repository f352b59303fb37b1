package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.Account;
import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.access.FolderOverrides;
import io.margay.gateway.rules.RuleLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lines as public sites have them, each with what becomes of it: none is passed over in silence.
/// The file says of each line where it stands and what `check` says of it; with
/// `-Dmargay.update=true` it is written anew, and the difference is read before it is kept.
final class DirectiveLinesTest {
    private static final Path LINES =
            Path.of(
                    System.getProperty("margay.root", ".."),
                    "compat/httpd/src/test/resources/directive-lines.txt");

    /// Where a line stands, with what is around it.
    private static final Map<String, String> PLACES =
            Map.of(
                    "server", "%s\n",
                    "host", "<VirtualHost *:80>\n%s\n</VirtualHost>\n",
                    "directory", "<Directory @DIR@/www>\n%s\n</Directory>\n",
                    "location", "<Location /x>\n%s\n</Location>\n",
                    "files", "<FilesMatch \"\\.php$\">\n%s\n</FilesMatch>\n",
                    "proxy", "<Proxy balancer://lb>\n%s\n</Proxy>\n",
                    "if", "<If \"%%{QUERY_STRING} == 'x'\">\n%s\n</If>\n");

    @TempDir Path folder;

    @BeforeEach
    void files() throws IOException {
        Files.createDirectories(folder.resolve("www"));
        Files.createDirectories(folder.resolve("logs"));
        Files.writeString(folder.resolve("mime.types"), "text/html html htm\n");
        Files.writeString(folder.resolve("users"), "ada:$apr1$x$y\n");
        Files.writeString(folder.resolve("groups"), "admins: ada\n");
        Files.writeString(folder.resolve("map.txt"), "a b\n");
    }

    private record Line(String verdict, String place, String text) {
        static Line of(String written) {
            String[] parts = written.split(" ", 3);
            return new Line(parts[0], parts[1], parts[2]);
        }

        @Override
        public String toString() {
            return verdict + " " + place + " " + text;
        }
    }

    private static List<String> written() throws IOException {
        return Files.readAllLines(LINES);
    }

    private static boolean isLine(String text) {
        return !text.startsWith("#") && !text.isBlank();
    }

    @Test
    void lines_areAsManyAsPublicSitesHaveThem() throws IOException {
        long count = written().stream().filter(DirectiveLinesTest::isLine).count();
        assertTrue(count >= 500, () -> count + " lines");
    }

    @Test
    void everyLine_isHonouredOrNamed_asTheFileSays() throws IOException {
        List<String> found = new ArrayList<>();
        for (String text : written()) {
            found.add(isLine(text) ? judged(Line.of(text)).toString() : text);
        }
        if (Boolean.getBoolean("margay.update")) {
            Files.write(LINES, found);
        }
        assertEquals(String.join("\n", written()), String.join("\n", found));
    }

    private Line judged(Line line) throws IOException {
        List<AccountLine> said =
                line.place.equals("htaccess") ? inFolder(line.text) : inServer(line);
        String verdict =
                said.stream()
                        .map(AccountLine::verdict)
                        .max(Comparator.naturalOrder())
                        .map(worst -> worst.name().toLowerCase(Locale.ROOT))
                        .orElse("silent");
        assertTrue(!verdict.equals("silent"), () -> line + ": nothing is said of it");
        return new Line(verdict, line.place, line.text);
    }

    /// What is said of the line, and of nothing around it.
    private List<AccountLine> inServer(Line line) throws IOException {
        boolean rewrites = line.text.startsWith("Rewrite");
        String place = (rewrites ? "RewriteEngine On\n" : "") + PLACES.get(line.place);
        String text = place.formatted(line.text).replace("@DIR@", folder.toString());
        Path conf = Files.writeString(folder.resolve("httpd.conf"), text);
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        int at = (int) place.substring(0, place.indexOf("%s")).lines().count() + 1;
        return plan.account().stream().filter(one -> one.place().line() == at).toList();
    }

    private List<AccountLine> inFolder(String text) throws IOException {
        Path site = folder.resolve("www");
        Path file =
                Files.writeString(
                        site.resolve(".htaccess"), text.replace("@DIR@", folder.toString()));
        Account account = new Account();
        Object _ =
                HtaccessFiles.read(
                        file,
                        site,
                        new FolderOverrides(
                                Set.of("authconfig", "fileinfo", "indexes", "limit", "options"),
                                null),
                        HtaccessFiles.Host.NONE,
                        RuleLimits.defaults(),
                        account);
        return account.lines();
    }
}
