package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.config.PeerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a server says for all of its peers.
final class PeerDefaultsTest {
    @TempDir Path folder;

    private List<PeerConfig> peers(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("httpd.conf"), "Listen 8080\n" + text);
        GatewayPlan plan = GatewayFiles.read(List.of(file), Map.of());
        return plan.upstreams().stream().flatMap(one -> one.peers().stream()).toList();
    }

    /// A Tomcat with `packetSize="65536"` behind it sends packets that long.
    @ParameterizedTest
    @CsvSource({"65536, 65536", "100000, 65536", "1000, 8192", "9000, 9216"})
    void bufferSize_isThePacketSizeOfAjp(int said, int packet) throws IOException {
        String text = "ProxyPass /app ajp://127.0.0.1:8009/app\nProxyIOBufferSize " + said + "\n";
        assertEquals(packet, peers(text).getFirst().ajp().packetBytesMax());
    }

    @Test
    void timeout_afterTheMembers_holdsForThem() throws IOException {
        List<PeerConfig> peers =
                peers(
                        """
                        <Proxy balancer://b>
                          BalancerMember http://127.0.0.1:8081
                        </Proxy>
                        ProxyPass /app balancer://b
                        ProxyTimeout 7
                        """);
        assertEquals(Duration.ofSeconds(7), peers.getFirst().timeouts().reply());
    }
}
