package io.margay.app.it;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A short form of [GatewayFaultsSoak]: servers behind the gateway are killed, hang and misbehave.
final class GatewayFaultsIT {
    private static final int CLIENTS = 4;

    @TempDir Path folder;

    @Test
    void servers_killedAndHung_failNoIdempotentRequestAndRunNoPostTwice() throws Exception {
        GatewayFaults.Amount amount = new GatewayFaults.Amount(300, 100, 300, 2, CLIENTS);
        try (GatewayFaults faults = new GatewayFaults(folder, folder.resolve("report.txt"))) {
            faults.kills(FaultFront.Kind.MARGAY_AJP, amount);
            faults.hang(FaultFront.Kind.MARGAY_HTTP, CLIENTS);
            faults.misbehaviour(FaultyPeer.Fault.RESET_AFTER_HEAD, CLIENTS);
        }
    }
}
