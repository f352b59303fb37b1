package io.margay.app.it;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The faults at length, by `make faults`; the report is `target/gateway-faults.txt`.
///
/// By each front end of `-Dmargay.faults.fronts` there are at least `-Dmargay.faults.requests` GET
/// requests, a quarter as many POST requests, and `-Dmargay.faults.kills` kills, one every
/// `-Dmargay.faults.period` seconds.
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
                        Long.getLong("margay.faults.period", 10) * 1000,
                        Integer.getInteger("margay.faults.kills", 10),
                        CLIENTS);
        String fronts = System.getProperty("margay.faults.fronts", "margay-ajp,margay-http");
        try (GatewayFaults faults =
                new GatewayFaults(folder, Path.of("target", "gateway-faults.txt"))) {
            for (String word : fronts.split(",")) {
                FaultFront.Kind kind = FaultFront.Kind.of(word.strip());
                faults.kills(kind, amount);
                faults.hang(kind, CLIENTS);
            }
            if (fronts.contains(FaultFront.Kind.MARGAY_HTTP.word())) {
                for (FaultyPeer.Fault fault : FaultyPeer.Fault.values()) {
                    faults.misbehaviour(fault, CLIENTS);
                }
            }
        }
    }
}
