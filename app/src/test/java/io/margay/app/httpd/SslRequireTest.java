package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `migrate` makes of `SSLRequire`.
final class SslRequireTest {
    @TempDir Path folder;

    /// `forwarded` of a listener takes the scheme from a field, and clients may have put `http`
    /// into it before a front end that speaks TLS with this server.
    @Test
    void whatComesByTls_isAsked_whateverAFrontEndTells() throws Exception {
        Path conf =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        """
                        Listen 127.0.0.1:8080
                        DocumentRoot www
                        <Location />
                          SSLRequire %{SSL_CLIENT_VERIFY} eq "SUCCESS"
                        </Location>
                        """);
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        String yaml = ConfigWriter.write(GatewayConfig.of(plan, List.of()));
        assertTrue(yaml.contains("%{HTTPS}%{SSL:SSL_PROTOCOL}"), yaml);
    }
}
