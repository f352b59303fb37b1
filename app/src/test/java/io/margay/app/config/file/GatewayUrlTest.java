package io.margay.app.config.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.hosts.KnownHosts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Routes whose gateway is a URL.
final class GatewayUrlTest {
    private static ConfigFile.Result read(String text) {
        return ConfigFile.of(text, Path.of(""), "margay.yaml");
    }

    @Test
    void url_isAnUpstreamWithOneMember_andTheSameForTwoRoutes() {
        MargayConfig config =
                read("""
                hosts:
                  - routes:
                      /*: {gateway: "http://127.0.0.1:9000"}
                      /a/*: {gateway: "http://127.0.0.1:9000/"}
                      /b/*: {gateway: "ajp://10.0.0.5:8009"}
                """)
                        .get();
        assertEquals(
                Set.of("http://127.0.0.1:9000", "ajp://10.0.0.5:8009"),
                config.upstreams().keySet());
        assertEquals(1, config.upstreams().get("http://127.0.0.1:9000").peers().size());
    }

    @Test
    void url_thatIsNone_isToldWithItsLine() {
        var problems = read("hosts:\n  - routes: {/*: {gateway: \"http://a:99999\"}}\n").problems();
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(
                problems.getFirst().toString().startsWith("margay.yaml:2:"), problems.toString());
        assertTrue(problems.getFirst().message().contains("port"), problems.toString());
    }

    @Test
    void word_thatIsNeither_isToldWhatItMayBe() {
        var problems = read("hosts:\n  - routes: {/*: {gateway: \"127.0.0.1:9000\"}}\n").problems();
        assertTrue(problems.getFirst().message().contains("URL"), problems.toString());
    }

    @Test
    void url_ofAHostThatIsKnown_isThereAfterAReloadToo(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(file, "hosts:\n  - routes: {/*: {gateway: \"http://127.0.0.1:9000\"}}\n");
        KnownHosts known = new KnownHosts();
        for (int i = 0; i < 3; i++) {
            MargayConfig config = ConfigFile.read(file, Map.of(), known).get();
            assertEquals(Set.of("http://127.0.0.1:9000"), config.upstreams().keySet());
        }
    }
}
