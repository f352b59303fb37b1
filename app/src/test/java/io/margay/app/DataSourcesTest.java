package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.JmxMode;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.RowsServlet;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Data sources of `margay.yaml`, with a driver from the folder of shared libraries.
final class DataSourcesTest {
    @TempDir Path folder;

    private MargayConfig config(String database) throws Exception {
        return config(database, "");
    }

    private MargayConfig config(String database, String more) throws Exception {
        Path libraries = Files.createDirectories(folder.resolve("shared"));
        Path driver =
                Path.of(
                        org.h2.Driver.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        if (Files.notExists(libraries.resolve("h2.jar"))) {
            Files.copy(driver, libraries.resolve("h2.jar"));
            Wars.with("index.html", "x")
                    .servlet(RowsServlet.class, "/rows")
                    .war(folder.resolve("rows.war"));
        }
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 0}]
                        hosts:
                          - routes:
                              /: {app: rows.war}
                        deploy: {libraries: shared}
                        resources:
                          jdbc/rows:
                            url: "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1"
                            user: sa
                            password: "${PASSWORD:-}"
                            size-max: 3
                            idle-min: 1
                        %s
                        """
                                .formatted(database, more));
        return ConfigFile.read(file, Map.of("PASSWORD", "secret")).get();
    }

    @Test
    void dataSource_isSharedAndOutlivesAReload_untilItChanges() throws Exception {
        try (MargayServer server = MargayServer.start(config("one"), DeployProgress.NONE)) {
            assertEquals("1", get(server));
            assertEquals("2", get(server));
            server.reload(config("one"));
            assertEquals("3", get(server));
            server.reload(config("two"));
            assertEquals("1", get(server));
        }
    }

    @Test
    void pool_isInTheMetricsAndInTheApi() throws Exception {
        MargayConfig config = config("seen", "admin: 127.0.0.1:0\n");
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            assertEquals("1", get(server));
            assertEquals("2", get(server));
            Http admin = new Http(server.adminPort());
            String text = admin.get("/metrics");
            String labels = "{datasource=\"jdbc/rows\"} ";
            assertTrue(text.contains("margay_datasource_connections_max" + labels + "3.0\n"), text);
            assertTrue(text.contains("margay_datasource_connections_active" + labels + "0.0\n"));
            assertTrue(text.contains("margay_datasource_acquired_total" + labels + "2.0\n"), text);
            assertTrue(text.contains("margay_datasource_timeouts_total" + labels + "0.0\n"), text);
            String pool = ":type=DataSource,class=javax.sql.DataSource,name=\"jdbc/rows\"";
            MBeanServer mbeans = ManagementFactory.getPlatformMBeanServer();
            server.jmx().follow(JmxMode.ON);
            Set<ObjectName> found = mbeans.queryNames(new ObjectName("*" + pool), null);
            assertEquals(1, found.size());
            assertEquals(3, mbeans.getAttribute(found.iterator().next(), "maxTotal"));
            String system = admin.get("/api/system");
            assertTrue(system.contains("\"name\":\"jdbc/rows\",\"path\":\"\""), system);
        }
    }

    private static String get(MargayServer server) throws Exception {
        return new Http(server.ports().getFirst()).get("/rows");
    }
}
