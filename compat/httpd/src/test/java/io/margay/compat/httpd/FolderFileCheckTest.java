package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.rules.RuleLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `check` finds in files of folders before a request does.
final class FolderFileCheckTest {
    @TempDir Path folder;

    private void file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private List<String> check(RuleLimits limits) throws IOException {
        Path conf =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        """
                        DocumentRoot www
                        Alias /al www/open
                        <Directory www>
                          AllowOverride All
                        </Directory>
                        <Directory www/none>
                          AllowOverride None
                        </Directory>
                        <Directory www/list>
                          AllowOverride None
                          AllowOverrideList Redirect
                        </Directory>
                        """);
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        return FolderFileCheck.of(plan, limits).stream()
                .map(line -> line.toString().replace(folder + "/www/", ""))
                .toList();
    }

    @Test
    void files_thatAreWrong_areNamedWithTheirLines() throws IOException {
        file("www/open/.htaccess", "# all right\nRequire ldap-user ada\n");
        file("www/open/deep/.htaccess", "Require all denied\nRewriteRule ^x /y [L]\n");
        file("www/open/own/.htaccess", "LDAPTrustedClientCert CERT_BASE64 /a.pem\n");
        file("www/none/.htaccess", "Require nobody-knows\n");
        file("www/list/.htaccess", "Redirect /x /y\nRequire all denied\n");
        assertEquals(
                List.of(
                        "list/.htaccess:2: Require: is not allowed here by" + " AllowOverride",
                        "open/.htaccess:2: Require: \"ldap-user ada\" is not supported; Require"
                                + " all, valid-user, user, group, ip, ldap-…, claim, local, env,"
                                + " expr, method, ssl and ssl-verify-client are, and the"
                                + " application can check the rest",
                        "open/own/.htaccess:1: LDAPTrustedClientCert: what it says is not"
                                + " supported: write CERT_BASE64 FILE and KEY_BASE64 FILE, once"
                                + " each, in PEM and without a password"),
                check(RuleLimits.defaults()).stream().sorted().toList());
    }

    @Test
    void folders_moreThanTheLimit_areNotLookedAt() throws IOException {
        for (int i = 0; i < 5; i++) {
            file("www/open/" + i + "/x.txt", "");
        }
        List<String> lines = check(new RuleLimits(1000, 1, 1000, 3, 1000));
        assertTrue(lines.stream().anyMatch(line -> line.contains("no more than 3")), "" + lines);
        assertEquals(
                List.of(),
                lines.stream().filter(line -> !line.contains("no more than 3")).toList());
    }
}
