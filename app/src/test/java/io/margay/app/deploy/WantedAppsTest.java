package io.margay.app.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A look without stamps finds what one with stamps finds, and sees what is watched.
final class WantedAppsTest {
    @TempDir Path folder;

    private MargayConfig config() throws IOException {
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 8080}]
                hosts:
                  - webapps: webapps
                    routes: {/one: {app: one.war}}
                work: work
                """);
        return ConfigFile.read(folder.resolve("margay.yaml"), Map.of()).get();
    }

    @Test
    void lookWithoutStamps_hasTheSameApplications() throws IOException {
        Files.writeString(folder.resolve("one.war"), "a WAR");
        Path descriptor = folder.resolve("webapps/two/WEB-INF/web.xml");
        Files.createDirectories(descriptor.getParent());
        Files.writeString(descriptor, "<web-app/>");
        MargayConfig config = config();
        Map<?, RunningApp.Key> all = WantedApps.of(config).keys();
        Map<?, RunningApp.Key> looked = WantedApps.withoutStamps(config).keys();
        assertEquals(2, all.size());
        assertEquals(all.keySet(), looked.keySet());
        all.forEach((name, key) -> {
            assertTrue(!key.stamp().isEmpty(), key.stamp());
            RunningApp.Key other = looked.get(name);
            assertEquals(key, RunningAppKeyBuilder.builder(other).stamp(key.stamp()).build());
        });

        Files.writeString(descriptor, "<web-app><!-- changed --></web-app>");
        Map<?, RunningApp.Key> later = WantedApps.withoutStamps(config).keys();
        all.forEach((name, key) -> {
            boolean changed = key.file().endsWith("two");
            String watched = later.get(name).watched();
            if (changed) {
                assertNotEquals(key.watched(), watched);
            } else {
                assertEquals(key.watched(), watched);
            }
        });
    }
}
