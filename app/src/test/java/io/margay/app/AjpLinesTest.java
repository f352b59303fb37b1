package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.AjpSettings;
import io.margay.server.config.AjpConfig;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class AjpLinesTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 8009);

    @Test
    void lines_forASecretOfTheCommandLine_areToBePasted() {
        List<String> lines =
                AjpLines.of(ADDRESS, new AjpSettings(AjpConfig.withSecret("s3cret"), true));
        assertEquals(
                List.of(
                        "for mod_jk, workers.properties:",
                        "    worker.list=margay",
                        "    worker.margay.type=ajp13",
                        "    worker.margay.host=127.0.0.1",
                        "    worker.margay.port=8009",
                        "    worker.margay.secret=s3cret",
                        "for mod_jk, httpd.conf:",
                        "    JkMount /* margay",
                        "or for mod_proxy_ajp, httpd.conf:",
                        "    ProxyPass \"/\" \"ajp://127.0.0.1:8009/\" secret=s3cret"),
                lines);
    }

    @Test
    void lines_forASecretOfAFile_doNotShowIt() {
        List<String> lines =
                AjpLines.of(ADDRESS, new AjpSettings(AjpConfig.withSecret("s3cret"), false));
        assertFalse(lines.toString().contains("s3cret"), lines.toString());
    }

    @Test
    void lines_forLargePackets_tellTheSizeToBoth() {
        AjpConfig config = AjpConfig.withoutSecret().withPacketBytes(65536);
        List<String> lines = AjpLines.of(ADDRESS, new AjpSettings(config, true));
        assertTrue(lines.contains("    worker.margay.max_packet_size=65536"), lines.toString());
        assertTrue(lines.contains("    ProxyIOBufferSize 65536"), lines.toString());
        assertFalse(lines.toString().contains("secret"), lines.toString());
    }
}
