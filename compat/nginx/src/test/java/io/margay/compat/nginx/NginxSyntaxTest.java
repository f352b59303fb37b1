package io.margay.compat.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.AccountLine;
import io.margay.compat.nginx.plan.NginxPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What nginx refuses is refused, in its words and with its lines.
final class NginxSyntaxTest {
    @TempDir Path folder;

    private NginxPlan read(String text) throws IOException {
        return NginxFiles.read(Files.writeString(folder.resolve("nginx.conf"), text));
    }

    private static List<String> wrong(NginxPlan plan) {
        return plan.account().stream()
                .filter(line -> line.verdict() == AccountLine.Verdict.WRONG)
                .map(line -> line.place().line() + " " + line.text())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "nonsense on;# 1 unknown directive \"nonsense\"",
                "listen 80;# 1 \"listen\" directive is not allowed here",
                "pid;# 1 invalid number of arguments in \"pid\" directive",
                "pid a b;# 1 invalid number of arguments in \"pid\" directive",
                "daemon yes;# 1 invalid value \"yes\" in \"daemon\" directive, it must be \"on\" or"
                        + " \"off\"",
                "pid a;\\npid b;# 2 \"pid\" directive is duplicate",
                "http {# 1 unexpected end of file, expecting \"}\"",
                "pid a# 1 unexpected end of file, expecting \";\" or \"}\"",
                "http { } }# 1 unexpected \"}\"",
                "http { server }# 1 unexpected \"}\"",
                ";# 1 unexpected \";\"",
                "{# 1 unexpected \"{\"",
                "http;# 1 directive \"http\" has no opening \"{\"",
                "pid a { }# 1 directive \"pid\" is not terminated by \";\"",
                "pid \"a\"b;# 1 unexpected \"b\"",
            })
    void file_thatNginxRefuses_isWrongInItsWords(String text, String expected) throws IOException {
        List<String> wrong = wrong(read(text.replace("\\n", "\n")));
        assertTrue(wrong.contains(expected.strip()), wrong::toString);
    }

    @Test
    void words_withQuotesAndEscapes_areThoseOfNginx() throws IOException {
        NginxPlan plan =
                read(
                        """
                        http { # a comment; with { braces }
                          server {
                            listen 80;
                            location / { return 200 "a \\"b\\" \\\\ ${host}{c}"; }
                            location /x { return 200 'd "e";'; }
                          }
                        }
                        """);
        assertEquals(List.of(), wrong(plan));
        String rules = plan.hosts().getFirst().rules().toString();
        assertTrue(rules.contains("a \"b\" \\\\ %{SERVER_NAME}{c}"), rules);
        assertTrue(rules.contains("d \"e\";"), rules);
    }

    @Test
    void include_withWildcards_takesFilesInOrderAndNamesThem() throws IOException {
        Files.createDirectories(folder.resolve("sites"));
        Files.writeString(folder.resolve("sites/b.conf"), "server { listen 81; nonsense; }\n");
        Files.writeString(folder.resolve("sites/a.conf"), "server { listen 80; }\n");
        NginxPlan plan = read("http {\n include sites/*.conf;\n include none/*.conf;\n}\n");
        assertEquals(List.of("1 unknown directive \"nonsense\""), wrong(plan));
        assertEquals(
                List.of("*:80", "*:81"),
                plan.hosts().stream().flatMap(host -> host.at().stream()).toList());
        assertTrue(plan.failures().getFirst().place().file().endsWith("sites/b.conf"));
    }

    @Test
    void include_ofAFileThatIsNotThere_isWrong() throws IOException {
        NginxPlan plan = read("http { include none.conf; server { listen 80; } }\n");
        assertTrue(plan.isWrong());
    }

    @Test
    void include_ofItself_ends() throws IOException {
        NginxPlan plan = read("include nginx.conf;\n");
        assertTrue(wrong(plan).toString().contains("includes too many files"));
    }
}
