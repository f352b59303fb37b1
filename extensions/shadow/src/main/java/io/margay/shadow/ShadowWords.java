package io.margay.shadow;

import static io.margay.shadow.ShadowResults.count;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The sentences and figures of a report, whether a terminal or a page shows them. Stateless.
final class ShadowWords {
    /// What the columns of [#times] are.
    static final List<String> TIMES = List.of("ms", "p50", "p90", "p99", "5xx", "none");

    private static final int GROUPS_SHOWN = 20;

    private ShadowWords() {}

    /// The whole for a terminal.
    static String text(ShadowResults results) {
        StringBuilder out = new StringBuilder(results.verdict()).append('\n');
        results.groups().stream().limit(GROUPS_SHOWN).forEach(group -> group(out, group));
        List<String> more = more(results, GROUPS_SHOWN);
        more.forEach(line -> out.append('\n').append(line).append('\n'));
        out.append('\n');
        row(out, TIMES);
        times(results).forEach(cells -> row(out, cells));
        notes(results).forEach(line -> out.append(line).append('\n'));
        return out.toString();
    }

    private static void group(StringBuilder out, DifferenceGroups.Group group) {
        out.append('\n').append(count(group.count())).append(" × ").append(group.request());
        out.append("  ").append(cause(group)).append('\n');
        out.append("    as in ").append(group.target()).append('\n');
        out.append("    old  ").append(group.example().old()).append('\n');
        out.append("    new  ").append(group.example().fresh()).append('\n');
    }

    private static void row(StringBuilder out, List<String> cells) {
        Object[] all = cells.toArray();
        out.append(String.format(Locale.ROOT, "%-3s %9s %9s %9s %6s %5s%n", all));
    }

    /// A cause, and whether it is sure.
    static String cause(DifferenceGroups.Group group) {
        return group.example().cause()
                + (group.confirmed() == 0
                        ? " (not confirmed: the old server was not asked a second time)"
                        : "");
    }

    /// What is not among the groups that are shown.
    ///
    /// @param shown how many are
    static List<String> more(ShadowResults results, int shown) {
        List<String> lines = new ArrayList<>();
        int groups = results.groups().size() - shown;
        if (groups > 0) {
            lines.add(groups + " more reasons are in the report");
        }
        if (results.asides().beyond() > 0) {
            lines.add(
                    count(results.asides().beyond())
                            + " more differences, of too many reasons to tell apart");
        }
        return lines;
    }

    /// How both servers have answered: a row for each.
    static List<List<String>> times(ShadowResults results) {
        return List.of(row("old", results.sides().old()), row("new", results.sides().fresh()));
    }

    private static List<String> row(String name, ShadowResults.Times times) {
        return List.of(
                name,
                millis(times.p50()),
                millis(times.p90()),
                millis(times.p99()),
                count(times.failed()),
                count(times.silent()));
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, "%.2f", millis);
    }

    /// What is to be known besides: what was not compared, among others.
    static List<String> notes(ShadowResults results) {
        List<String> lines = new ArrayList<>();
        if (results.isSlower()) {
            lines.add("most answers of the new server come more than 10 ms later");
        }
        lines.add(
                "asked twice: the old server, "
                        + count(results.asides().repeated())
                        + " times; "
                        + count(results.asides().places())
                        + " places differ by themselves");
        results.leftOut()
                .forEach((reason, number) ->
                        lines.add("not compared: " + count(number) + ", " + reason.words()));
        if (results.asides().unrecorded() > 0) {
            lines.add("not in the trace: " + count(results.asides().unrecorded()) + " requests");
        }
        return lines;
    }
}
