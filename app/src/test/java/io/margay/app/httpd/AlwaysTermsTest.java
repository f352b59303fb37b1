package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `always` of sections: what must hold, whatever else lets a client in.
final class AlwaysTermsTest {
    @TempDir Path folder;

    private ConfigFile.Result read(String access) throws IOException {
        for (String name : List.of("a", "open/a", "any/a", "closed/a")) {
            Path file = folder.resolve("www").resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "a file");
        }
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - access:
                              sections:
                                - {path: /, %s}
                                - {path: /open, require: [{everybody: true}]}
                                - path: /any
                                  require: [{from: [10.0.0.0/8]}]
                                  allow: [{everybody: true}]
                                  satisfy: [{is: any}]
                                - {path: /closed, always: [{from: [127.0.0.1], not: true}]}
                            routes: {/: {files: www}}
                        work: work
                        """
                                .formatted(access));
        return ConfigFile.read(file, Map.of());
    }

    private String statuses(String access) throws Exception {
        StringBuilder all = new StringBuilder();
        try (MargayServer server = MargayServer.start(read(access).get(), DeployProgress.NONE)) {
            var address = (InetSocketAddress) server.addresses().getFirst();
            for (String path : List.of("/a", "/open/a", "/any/a", "/closed/a")) {
                try (RawHttpClient client = RawHttpClient.connect(address)) {
                    all.append(client.get(path).status()).append(' ');
                }
            }
        }
        return all.toString();
    }

    @Test
    void terms_ofAllSections_mustHold_whateverLetsIn() throws Exception {
        assertEquals("200 200 200 403 ", statuses("always: [{from: [127.0.0.0/8]}]"));
        assertEquals("403 403 403 403 ", statuses("always: [{from: [10.0.0.0/8]}]"));
        assertEquals(
                "403 403 403 403 ",
                statuses("always: [{from: [127.0.0.0/8]}, {from: [127.0.0.1], not: true}]"));
    }

    @Test
    void term_thatAsksForAUser_isNamed() throws IOException {
        String problems = read("always: [{any-user: true}]").problems().toString();
        assertTrue(problems.contains("users are asked for by \"require\""), problems);
    }
}
