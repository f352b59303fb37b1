package io.margay.app.it;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The faults at length, by `make faults`; the report is `target/gateway-faults.txt`.
///
/// `-Dmargay.faults.requests` GET requests by each protocol, a quarter as many POST requests, a
/// kill every `-Dmargay.faults.period` seconds.
final class GatewayFaultsSoak {
    private static final int CLIENTS = 8;

    @TempDir Path folder;

    @Test
    void faults_underLoad_loseNoIdempotentRequestAndRunNoPostTwice() throws Exception {
        long requests = Long.getLong("margay.faults.requests", 200_000);
        GatewayFaults.Amount amount =
                new GatewayFaults.Amount(
                        requests,
                        requests / 4,
                        Long.getLong("margay.faults.period", 10),
                        2,
                        CLIENTS);
        Path report = Path.of("target", "gateway-faults.txt");
        try (GatewayFaults faults = new GatewayFaults(folder, report)) {
            for (String scheme : new String[] {"ajp", "http"}) {
                faults.kills(scheme, amount);
                faults.hang(scheme, CLIENTS);
            }
            for (FaultyPeer.Fault fault : FaultyPeer.Fault.values()) {
                faults.misbehaviour(fault, CLIENTS);
            }
        }
    }
}
