package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.compat.httpd.plan.GatewayPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is said of users who cannot log in before they try.
final class UserFilesTest {
    @TempDir Path folder;

    /// What the account says of directives, apart from their being honoured.
    private List<String> account(String text) throws IOException {
        Files.writeString(
                folder.resolve("users"), "ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\nbob:b\n");
        Path conf = Files.writeString(folder.resolve("httpd.conf"), "DocumentRoot www\n" + text);
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        return plan.account().stream()
                .filter(line -> line.text().contains("log in"))
                .map(line ->
                        line.toString().replace(folder + "/", "").replaceFirst("(log in).*", "$1"))
                .toList();
    }

    @Test
    void passwords_ofNoKnownForm_areNamed() throws IOException {
        assertEquals(
                List.of("httpd.conf:3: AuthUserFile: has users who cannot log in"),
                account(
                        """
                        <Location />
                          AuthUserFile users
                          AuthType Basic
                          AuthName a
                          Require valid-user
                        </Location>
                        """));
    }

    @Test
    void users_whomNoFileKnows_areNamed() throws IOException {
        String nobody =
                """
                <Location />
                  AuthType Basic
                  AuthName a
                  Require valid-user
                  Require ip 10.0.0.0/8
                  <RequireAny>
                    Require user ada
                  </RequireAny>
                </Location>
                """;
        assertEquals(
                List.of(
                        "httpd.conf:5: Require: nobody can log in",
                        "httpd.conf:8: Require: nobody can log in"),
                account(nobody));
        assertEquals(List.of(), account(nobody + "<Files x>\nAuthUserFile others\n</Files>\n"));
    }
}
