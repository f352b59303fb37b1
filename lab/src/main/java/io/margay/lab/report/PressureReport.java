package io.margay.lab.report;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Locale;

/// What clients that behave see while others do not, as tables in Markdown. Immutable.
///
/// @param grown the server's memory over requests of which one in ten was bad
/// @param notes what else a reader wants to know
public record PressureReport(List<Seen> seen, List<Grown> grown, List<String> notes) {
    /// What was seen during one measurement.
    ///
    /// @param during what else the server had to do
    /// @param loopWaited share of the time in which the server's loops could run and had no core
    /// @param serverBusy share of the time in which the servers' core was busy
    /// @param clientsBusy the same of the clients' core
    /// @param notAccepted connections that found the accept queue full
    /// @param mib memory of the server
    /// @param tcpMib memory of all TCP connections of the machine
    @RecordBuilder
    public record Seen(
            String during,
            double perSecond,
            double p50Millis,
            double p99Millis,
            long failed,
            double loopWaited,
            double serverBusy,
            double clientsBusy,
            long notAccepted,
            double mib,
            double tcpMib) {}

    /// Memory of the server after so many requests.
    public record Grown(long requests, double mib) {}

    public PressureReport {
        seen = List.copyOf(seen);
        grown = List.copyOf(grown);
        notes = List.copyOf(notes);
    }

    /// The tables.
    public String markdown() {
        StringBuilder text = new StringBuilder();
        text.append(
                "| while | requests/s | p50 ms | p99 ms | failed | server's loop waited for its");
        text.append(" core, % | server's core, % | clients' core, % | not accepted in time |");
        text.append(" server's MiB | TCP's MiB |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
        for (Seen it : seen) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %.0f | %s | %s | %d | %.0f | %.0f | %.0f | %d | %.0f |"
                                    + " %.0f |%n",
                            it.during,
                            it.perSecond,
                            millis(it.perSecond, it.p50Millis),
                            millis(it.perSecond, it.p99Millis),
                            it.failed,
                            100 * it.loopWaited,
                            100 * it.serverBusy,
                            100 * it.clientsBusy,
                            it.notAccepted,
                            it.mib,
                            it.tcpMib));
        }
        if (!grown.isEmpty()) {
            text.append("\n| requests, one in ten bad | server's MiB |\n|---|---|\n");
            grown.forEach(it ->
                    text.append(
                            String.format(Locale.ROOT, "| %d | %.0f |%n", it.requests, it.mib)));
        }
        if (!notes.isEmpty()) {
            text.append('\n');
            notes.forEach(it -> text.append("- ").append(it).append('\n'));
        }
        return text.toString();
    }

    /// If nobody was answered, nobody knows how long it takes.
    private static String millis(double perSecond, double millis) {
        return perSecond == 0 ? "–" : String.format(Locale.ROOT, "%.2f", millis);
    }
}
