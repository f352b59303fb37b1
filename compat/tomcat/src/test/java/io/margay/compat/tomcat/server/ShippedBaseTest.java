package io.margay.compat.tomcat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.AccountLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The settings as Tomcat 9.0, 10.1 and 11 ship them.
final class ShippedBaseTest {
    @ParameterizedTest
    @ValueSource(strings = {"9.0.117", "10.1.59", "11.0.24"})
    void settings_asShipped_areServedAndAccountedFor(String version) throws IOException {
        Path base = Path.of("target/tomcat/apache-tomcat-" + version).toAbsolutePath();
        Files.createDirectories(base.resolve("webapps"));
        TomcatPlan plan = CatalinaBase.read(base, Map.of()).plan();
        assertEquals(List.of(), plan.failures());
        assertEquals(List.of("localhost", "*"), plan.hosts().getFirst().names(), plan::toString);
        assertEquals(8080, plan.connectors().getFirst().port());
        assertEquals(base.resolve("conf/tomcat-users.xml"), plan.deployment().users());
        List<String> files =
                plan.account().stream()
                        .map(AccountLine::place)
                        .map(place -> Path.of(place.file()).getFileName().toString())
                        .distinct()
                        .toList();
        for (String file :
                List.of(
                        "server.xml",
                        "context.xml",
                        "web.xml",
                        "catalina.properties",
                        "logging.properties")) {
            assertTrue(files.contains(file), file + " is not in " + files);
        }
    }
}
