package io.margay.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.testkit.SelfSigned;
import io.margay.transport.TlsClientConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutboundEnginesTest {
    private final AtomicLong nanos = new AtomicLong();
    private final OutboundEngines engines = new OutboundEngines(nanos::get);

    @TempDir Path folder;

    private static TlsClientConfig blind(String server, int reload) {
        return new TlsClientConfig(server, false, null, List.of("protocol-" + reload));
    }

    @Test
    void membersThatComeAndGo_countAsOne_andAreAskedForByTheirNames() {
        for (int i = 0; i < 10_000; i++) {
            String server = "member-" + i + ".example";
            assertEquals(server, engines.of(blind(server, 0)).get().getPeerHost());
        }
        assertEquals(1, engines.size());
    }

    @Test
    void reloadsWithOtherCertificates_leaveWhatIsInUseAndTheLastHour() throws Exception {
        SelfSigned first = SelfSigned.make(folder, "localhost", "EC", List.of("DNS:localhost"));
        TlsClientConfig kept =
                new TlsClientConfig("localhost", true, first.cert(), List.of("http/1.1"));
        long step = OutboundEngines.UNUSED_MAX.toNanos() / 10;
        for (int reload = 0; reload < 60; reload++) {
            Path cert = folder.resolve("cert-" + reload + ".pem");
            Path key = folder.resolve("key-" + reload + ".pem");
            Files.copy(first.cert(), cert);
            Files.copy(first.key(), key);
            TlsClientConfig own =
                    new TlsClientConfig(
                            "localhost",
                            true,
                            first.cert(),
                            List.of("http/1.1"),
                            List.of(new TlsConfig.Certificate(cert, key)));
            var _ = engines.of(own).get();
            var _ = engines.of(kept).get();
            nanos.addAndGet(step);
            engines.check();
            assertEquals(1 + Math.min(reload + 1, 10), engines.size());
        }
        nanos.addAndGet(11 * step);
        engines.check();
        assertEquals(0, engines.size());
        assertEquals("localhost", engines.of(kept).get().getPeerHost());
    }

    @Test
    void configurationsPastTheLimit_takeThePlaceOfThoseUnusedLongest() {
        for (int i = 0; i < OutboundEngines.CONFIGURATIONS_MAX + 50; i++) {
            nanos.incrementAndGet();
            engines.of(blind("peer.example", i));
            engines.of(blind("peer.example", 0));
        }
        assertEquals(OutboundEngines.CONFIGURATIONS_MAX, engines.size());
        // The first is in use all the time, so it is still there: asking for it makes no room.
        engines.of(blind("other.example", 0));
        engines.of(blind("other.example", 51));
        assertEquals(OutboundEngines.CONFIGURATIONS_MAX, engines.size());
    }

    @Test
    void fileThatCannotBeUsed_isNotRemembered() {
        TlsClientConfig broken =
                new TlsClientConfig("a.example", true, folder.resolve("missing"), List.of());
        assertThrows(TlsSetupException.class, () -> engines.of(broken));
        assertEquals(0, engines.size());
    }
}
