package io.margay.lab;

import io.margay.lab.machine.Machine;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.servers.RunningServer;
import java.util.LinkedHashMap;
import java.util.Map;

/// What the processes of a server and the machine used between two moments. Confined to the lab's
/// thread.
final class UsageWindow {
    private final Bench bench;
    private final RunningServer server;
    private Map<String, ProcessSample> before = Map.of();
    private Map<String, ProcessSample> used = Map.of();
    private double coreBefore;
    private double othersSeconds;
    private long openedBefore;
    private long opened;
    private long waitingBefore;
    private long waiting;

    UsageWindow(Bench bench, RunningServer server) {
        this.bench = bench;
        this.server = server;
    }

    /// The first moment.
    void open() {
        openedBefore = Machine.connectionsOpened();
        waitingBefore = Machine.connectionsWaiting();
        coreBefore = bench.coreSeconds();
        before = server.sample();
    }

    /// The second moment.
    void close() {
        opened = Machine.connectionsOpened() - openedBefore;
        waiting = Math.max(0, Machine.connectionsWaiting() - waitingBefore);
        Map<String, ProcessSample> now = server.sample();
        Map<String, ProcessSample> since = new LinkedHashMap<>();
        double cpu = 0;
        for (Map.Entry<String, ProcessSample> entry : now.entrySet()) {
            ProcessSample tier =
                    entry.getValue().since(before.getOrDefault(entry.getKey(), ProcessSample.NONE));
            since.put(entry.getKey(), tier);
            cpu += tier.cpuSeconds();
        }
        used = since;
        othersSeconds = Math.max(0, bench.coreSeconds() - coreBefore - cpu);
    }

    /// What the processes of each tier used.
    Map<String, ProcessSample> used() {
        return used;
    }

    /// CPU time of other processes on the servers' core.
    double othersSeconds() {
        return othersSeconds;
    }

    /// Connections that were opened on this machine beside so many.
    long openedBeside(long known) {
        return Math.max(0, opened - known);
    }

    /// Connections that wait for the end of their time (TIME_WAIT), more than before.
    long waiting() {
        return waiting;
    }
}
