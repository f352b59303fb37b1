package io.margay.lab.study;

import io.margay.lab.stats.Medians;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What each tool has measured, and whether the lab agrees. Confined to one thread.
///
/// - `rate`: a server that is busy all the time gives every tool the same requests per second: the
///   rounds overlap, or the medians lie within 2 %.
/// - `cost`: of a small file the generator's own CPU time is at most 1.5 times that of wrk.
/// - `tls`: the server's CPU time for a full handshake is the same within 15 %.
public final class ToolAgreement {
    static final String LAB = "lab";
    private static final double RATE_APART = 0.02;
    private static final double COST_MAX = 1.5;
    private static final double TLS_APART = 0.15;

    private record Tool(String kind, String name) {}

    private record Figures(List<Double> perSecond, List<Double> cpu) {
        private double rate() {
            return Medians.of(perSecond);
        }

        private double cost() {
            return Medians.of(cpu);
        }

        private double least() {
            return perSecond.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        }

        private double most() {
            return perSecond.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        }
    }

    private final Map<Tool, Figures> tools = new LinkedHashMap<>();

    /// Adds a round of a tool.
    ///
    /// @param kind `rate`, `cost` or `tls`
    /// @param cpu seconds for 10 000 requests: of the tool, or for `tls` of the server
    void add(String kind, String name, double perSecond, double cpu) {
        Figures figures =
                tools.computeIfAbsent(
                        new Tool(kind, name),
                        _ -> new Figures(new ArrayList<>(), new ArrayList<>()));
        figures.perSecond.add(perSecond);
        figures.cpu.add(cpu);
    }

    /// Whether all agree.
    public boolean agrees() {
        return verdicts().values().stream().allMatch(line -> line.startsWith("ok"));
    }

    /// By kind and tool.
    private Map<String, String> verdicts() {
        Map<String, String> verdicts = new TreeMap<>();
        tools.forEach((tool, figures) -> {
            Figures lab = tools.get(new Tool(tool.kind, LAB));
            boolean compared = !tool.kind.equals("cost") || tool.name.equals("wrk");
            if (lab != null && !tool.name.equals(LAB) && compared) {
                verdicts.put(tool.kind + tool.name, verdict(tool, lab, figures));
            }
        });
        return verdicts;
    }

    private static String verdict(Tool tool, Figures lab, Figures other) {
        boolean isRate = tool.kind.equals("rate");
        double ratio = isRate ? lab.rate() / other.rate() : lab.cost() / other.cost();
        boolean agrees =
                switch (tool.kind) {
                    case "rate" ->
                            Math.abs(ratio - 1) < RATE_APART
                                    || (lab.least() <= other.most() && other.least() <= lab.most());
                    case "cost" -> ratio <= COST_MAX;
                    default -> Math.abs(ratio - 1) < TLS_APART;
                };
        return String.format(
                Locale.ROOT,
                "%-5s%-6s lab / %-8s %.3f",
                agrees ? "ok" : "MISS",
                tool.kind,
                tool.name,
                ratio);
    }

    /// Figures and verdicts as a table for a terminal.
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%-15s%12s%12s%12s%14s%n",
                        "",
                        "requests/s",
                        "least",
                        "most",
                        "CPU-s/10k"));
        tools.forEach((tool, figures) ->
                text.append(
                        String.format(
                                Locale.ROOT,
                                "%-6s%-9s%12.0f%12.0f%12.0f%14.4f%n",
                                tool.kind,
                                tool.name,
                                figures.rate(),
                                figures.least(),
                                figures.most(),
                                figures.cost())));
        text.append(System.lineSeparator());
        verdicts().values().forEach(line -> text.append(line).append(System.lineSeparator()));
        return text.toString();
    }
}
