package io.margay.app.it;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The faults in short: one kill of each back end by AJP13, and one back end that hangs.
final class GatewayFaultsIT {
    @TempDir Path folder;

    @Test
    void faults_inShort_loseNoIdempotentRequestAndRunNoPostTwice() throws Exception {
        try (GatewayFaults faults = new GatewayFaults(folder, folder.resolve("report"))) {
            faults.kills("ajp", new GatewayFaults.Amount(400, 100, 1, 2, 4));
            faults.hang("http", 2);
        }
    }
}
