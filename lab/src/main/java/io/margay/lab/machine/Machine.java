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
    /// As most systems are set up, where this one does not tell.
    private static final int FILES_USUAL = 1024;

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
        return counter("snmp", "Tcp:", "ActiveOpens");
    }

    /// A counter of `/proc/net`, whose files have a line of names above one of numbers.
    private static long counter(String file, String group, String name) {
        try {
            List<String> lines =
                    Files.readAllLines(Path.of("/proc/net", file)).stream()
                            .filter(line -> line.startsWith(group))
                            .toList();
            int at = lines.isEmpty() ? -1 : List.of(lines.getFirst().split(" ")).indexOf(name);
            return at < 0 ? 0 : Long.parseLong(lines.getLast().split(" ")[at]);
        } catch (IOException e) {
            return 0;
        }
    }

    /// Connections that found the queue of a listener full since this machine started; 0 where the
    /// system does not tell.
    public static long connectionsNotAccepted() {
        return counter("netstat", "TcpExt:", "ListenOverflows");
    }

    /// What the buffers of all TCP connections hold, in pages of memory; 0 where the system does
    /// not tell.
    public static long tcpPages() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/net/sockstat"))) {
                if (line.startsWith("TCP:")) {
                    return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
                }
            }
        } catch (IOException e) {
            return 0;
        }
        return 0;
    }

    /// How many files this process, and those it starts, may have open.
    public static int filesMax() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith("Max open files")) {
                    String soft = line.split(" {2,}")[1];
                    return soft.equals("unlimited")
                            ? Integer.MAX_VALUE
                            : (int) Math.min(Integer.MAX_VALUE, Long.parseLong(soft));
                }
            }
        } catch (IOException e) {
            return FILES_USUAL;
        }
        return FILES_USUAL;
    }
}
