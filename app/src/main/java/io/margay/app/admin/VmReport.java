package io.margay.app.admin;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What the manager's text interface says about the JVM. Stateless.
final class VmReport {
    private static final List<String> PROPERTIES =
            List.of(
                    "java.vm.name",
                    "java.vm.vendor",
                    "java.vm.version",
                    "java.runtime.version",
                    "java.home",
                    "os.name",
                    "os.version",
                    "os.arch",
                    "user.timezone",
                    "file.encoding");

    private VmReport() {}

    /// Of the machine and its memory; no option and no other property, which may hold passwords.
    static String info(Duration uptime) {
        Runtime runtime = Runtime.getRuntime();
        StringBuilder text = new StringBuilder();
        text.append("Runtime information:\n");
        for (String name : PROPERTIES) {
            text.append("  ").append(name).append(": ");
            text.append(System.getProperty(name, "")).append('\n');
        }
        text.append("  process: ").append(ProcessHandle.current().pid()).append('\n');
        text.append("  uptime: ").append(uptime.toSeconds()).append(" s\n");
        text.append("  processors: ").append(runtime.availableProcessors()).append('\n');
        text.append("Heap information, in bytes:\n");
        text.append("  used: ").append(runtime.totalMemory() - runtime.freeMemory()).append('\n');
        text.append("  committed: ").append(runtime.totalMemory()).append('\n');
        text.append("  max: ").append(runtime.maxMemory()).append('\n');
        text.append("Platform threads: ").append(Thread.getAllStackTraces().size()).append('\n');
        return text.toString();
    }

    /// The stack of every platform thread, by name. Virtual threads are not among them.
    static String threads() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().getName()))
                .forEach(entry -> thread(entry, text));
        return text.toString();
    }

    /// The same as values: `name`, `state`, `stack`.
    static List<Map<String, Object>> stacks() {
        return Thread.getAllStackTraces().entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().getName()))
                .map(entry ->
                        Map.<String, Object>of(
                                "name",
                                entry.getKey().getName(),
                                "state",
                                entry.getKey().getState().name(),
                                "stack",
                                Stream.of(entry.getValue())
                                        .map(StackTraceElement::toString)
                                        .toList()))
                .toList();
    }

    private static void thread(Map.Entry<Thread, StackTraceElement[]> entry, StringBuilder text) {
        Thread thread = entry.getKey();
        text.append('"').append(thread.getName()).append('"');
        text.append(" Id=").append(thread.threadId());
        text.append(" prio=").append(thread.getPriority());
        text.append(thread.isDaemon() ? " daemon " : " ");
        text.append(thread.getState()).append('\n');
        for (StackTraceElement frame : entry.getValue()) {
            text.append("        at ").append(frame).append('\n');
        }
        text.append('\n');
    }
}
