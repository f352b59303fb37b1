package io.margay.compat.tomcat.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.rewrite.RewriteConfig.Problem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a `rewrite.config` may say. What its rules do is compared with Tomcat by `TomcatBaseIT`.
final class RewriteConfigTest {
    @TempDir Path folder;

    private List<Problem> problems(String... lines) {
        return RewriteConfig.of(List.of(lines), folder, false).problems();
    }

    @Test
    void lines_thatAreHonoured_haveNoProblem() {
        assertEquals(
                List.of(),
                problems(
                        "# a remark",
                        "",
                        "  RewriteMap up int:toupper",
                        "RewriteCond %{REQUEST_PATH} !-f [nocase,OR]",
                        "RewriteCond ${up:%{HTTP:X-A}|none} >A",
                        "RewriteRule ^/a/(.*)$ /b/$1?c=%1 [last,QSA,R=permanent]",
                        "RewriteRule ^(.*)$ $1.html [host,NC]",
                        "RewriteRule !^/(in|out)/.*$ - [F]"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "RewriteRule ^/a$ /b [N];the flag [N] is not supported",
                "RewriteRule ^/a$ /b [E=a:b];the flag [E] is not supported",
                "RewriteRule ^/a$ /b [CO=a:b];the flag [CO] is not supported",
                "RewriteRule ^/a$ http://b/;needs the flag [R]",
                "RewriteRule ^/a$ /b [R=200];is not a status of a redirect",
                "RewriteRule ^/a$ /b [S];needs the number of rules",
                "RewriteRule ^/a$ /b L;flags are written in [ ]",
                "RewriteRule ^/a(;followed by two words",
                "RewriteRule ^/a( /b;Unclosed group",
                "RewriteRule ^/a$ /%{SSL:SSL_CIPHER};the variable %{SSL:SSL_CIPHER} is not known",
                "RewriteRule ^/a$ /${map:$1};there is no map for",
                "RewriteRule ^/a$ /${map;a brace is not closed",
                "RewriteMap m com.example.Map;of maps only",
                "RewriteMap m txt:none.txt;cannot be read",
                "RewriteCond %{REQUEST_FILENAME} !-f;is not known here",
                "RewriteCond %{HTTPS} on [XX];the flag [XX] is not supported",
                "RewriteCond %{HTTPS} on;conditions are before no rule",
                "RewriteEngine on x;is none of RewriteRule",
            })
    void line_thatIsNotHonoured_isAProblem(String line, String expected) {
        List<Problem> problems = problems("# a remark", line);
        assertEquals(1, problems.size(), problems::toString);
        assertEquals(2, problems.getFirst().line());
        assertTrue(problems.getFirst().text().contains(expected), problems::toString);
    }
}
