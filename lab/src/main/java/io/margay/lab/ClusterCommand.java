package io.margay.lab;

import io.margay.lab.cluster.ClusterSizes;
import io.margay.lab.cluster.ClusterSizes.Sessions;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/// `margay lab cluster`: a cluster on this machine, to try. Confined to the main thread.
@Command(
        name = "cluster",
        sortOptions = false,
        description =
                "Starts gateways, containers and what keeps their sessions on this machine, says"
                        + " what to try, and ends all of it on Ctrl-C.")
final class ClusterCommand implements Runnable {
    private static final int PORT_MAX = 65_000;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Supplier<Lab> lab;

    @Option(names = "--gateways", paramLabel = "N", description = "1 to 9. Default: 2.")
    private int gateways = 2;

    @Option(names = "--containers", paramLabel = "N", description = "1 to 9. Default: 3.")
    private int containers = 3;

    @Option(
            names = "--port",
            paramLabel = "N",
            description =
                    "Of the first gateway; consoles begin 10 after it, containers 20. Default:"
                            + " 8100; 0 for any that are free.")
    private int port = 8_100;

    @Option(
            names = "--sessions",
            paramLabel = "WHERE",
            description =
                    "valkey (valkey-server or redis-server), jdbc (a file of H2), memory, or auto:"
                            + " the first of them that is here. Default: auto.")
    private Sessions sessions = Sessions.AUTO;

    @Override
    public void run() {
        atMost("--gateways", gateways);
        atMost("--containers", containers);
        LabException.unlessAtLeast("--port", port, 0);
        if (port > PORT_MAX) {
            throw LabException.usage("--port is at most " + PORT_MAX);
        }
        lab.get().cluster(new ClusterSizes(gateways, containers, port, sessions));
    }

    private static void atMost(String option, int value) {
        LabException.unlessAtLeast(option, value, 1);
        if (value > ClusterSizes.COUNT_MAX) {
            throw LabException.usage(option + " is at most " + ClusterSizes.COUNT_MAX);
        }
    }
}
