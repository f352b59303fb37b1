package io.margay.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The machine that is measured on. Immutable.
///
/// @param cpu its model
/// @param cores how many this process may use
/// @param memoryMib of the whole machine
public record Machine(String cpu, int cores, long memoryMib, String system, String java) {
    /// This one.
    public static Machine here() {
        return new Machine(
                value(Path.of("/proc/cpuinfo"), "model name"),
                Runtime.getRuntime().availableProcessors(),
                Long.parseLong(
                                "0"
                                        + value(Path.of("/proc/meminfo"), "MemTotal")
                                                .replaceAll("[^0-9]", ""))
                        / 1024,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    }

    private static String value(Path file, String name) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(name)) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        } catch (IOException e) {
            return "unknown";
        }
        return "unknown";
    }

    /// CPU time that a core has spent on whatever it was, without idling, in seconds since the
    /// machine started. The time of interrupts is left out, as no process is charged with it.
    public static double coreSeconds(int core) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/stat"))) {
                if (line.startsWith("cpu" + core + " ")) {
                    List<String> fields = List.of(line.split(" +"));
                    double ticks = 0;
                    for (int field : new int[] {1, 2, 3, 8}) {
                        ticks += Double.parseDouble(fields.get(field));
                    }
                    return ticks / 100;
                }
            }
        } catch (IOException e) {
            return 0;
        }
        return 0;
    }

    /// TCP connections that were closed from this machine and still hold a port (TIME_WAIT); 0
    /// where the system does not tell.
    public static long connectionsWaiting() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/net/sockstat"))) {
                List<String> words = List.of(line.split(" "));
                int at = words.indexOf("tw");
                if (at > 0) {
                    return Long.parseLong(words.get(at + 1));
                }
            }
        } catch (IOException e) {
            return 0;
        }
        return 0;
    }

    /// TCP connections that the processes of this machine have opened since it started; 0 where the
    /// system does not tell.
    public static long connectionsOpened() {
        try {
            List<String> lines =
                    Files.readAllLines(Path.of("/proc/net/snmp")).stream()
                            .filter(line -> line.startsWith("Tcp:"))
                            .toList();
            int at =
                    lines.isEmpty()
                            ? -1
                            : List.of(lines.getFirst().split(" ")).indexOf("ActiveOpens");
            return at < 0 ? 0 : Long.parseLong(lines.getLast().split(" ")[at]);
        } catch (IOException e) {
            return 0;
        }
    }
}
