package io.margay.app.config.members;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.config.file.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SingleMemberCheckTest {
    private static final String TWO = "members: [{url: \"http://a\"}, {url: \"http://b\"}]";

    @TempDir Path folder;

    private List<String> notes(String host, String up) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 8080}]
                        hosts: [{%s}]
                        upstreams:
                          up: {%s}
                          two: {%s}
                        """
                                .formatted(host, up, TWO));
        return SingleMemberCheck.notes(file, ConfigFile.read(file, Map.of()).get()).stream()
                .map(note -> note.substring((file + ": ").length()))
                .toList();
    }

    @Test
    void outliers_ofOneMember_areTold() throws IOException {
        String one = "outliers: {}, members: [{url: \"http://a\"}]";
        assertEquals(
                List.of("upstream up: \"outliers\" has no effect: one member"),
                notes("routes: {/: {gateway: up}}", one));
        assertEquals(List.of(), notes("routes: {/: {gateway: up}}", "outliers: {}, " + TWO));
        String found = "outliers: {}, members: {file: up.members}";
        assertEquals(List.of(), notes("routes: {/: {gateway: up}}", found));
    }

    @Test
    void hedge_ofOneMember_isTold_unlessACanaryHasMore() throws IOException {
        String one = "members: [{url: \"http://a\"}]";
        assertEquals(
                List.of("route /: \"hedge\" has no effect: one member"),
                notes("routes: {/: {gateway: up, hedge: p95}}", one));
        assertEquals(
                List.of("route /shop: \"hedge\" has no effect: one member"),
                notes("routes: {/shop: {gateway: \"http://127.0.0.1:1\", hedge: p95}}", one));
        assertEquals(List.of(), notes("routes: {/: {gateway: two, hedge: p95}}", one));
        String canary =
                "/: {gateway: up, hedge: p95, canary: {to: two, steps: 5%}, cache: {memory: 0}}";
        assertEquals(List.of(), notes("routes: {" + canary + "}", one));
    }

    @Test
    void newVersion_withoutAnotherVersion_isTold() throws IOException {
        for (String name : List.of("shop", "apps/shop##1")) {
            Files.createDirectories(folder.resolve(name).resolve("WEB-INF"));
        }
        String newest = "routes: {/shop##2: {app: shop, new-version: {steps: 5%}}";
        assertEquals(
                List.of("route /shop: \"new-version\" has no effect: one version"),
                notes(newest + ", /other: {app: shop}}", TWO));
        assertEquals(List.of(), notes(newest + ", /shop: {app: shop}}", TWO));
        assertEquals(List.of(), notes(newest + "}, webapps: apps", TWO));
    }
}
