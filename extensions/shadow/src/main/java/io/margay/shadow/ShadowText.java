package io.margay.shadow;

import static io.margay.shadow.ShadowResults.count;

import java.util.Locale;

/// What came of comparing, for a terminal. Stateless.
final class ShadowText {
    private static final int GROUPS_SHOWN = 20;

    private ShadowText() {}

    static String of(ShadowResults results) {
        StringBuilder out = new StringBuilder(results.verdict()).append('\n');
        results.groups().stream().limit(GROUPS_SHOWN).forEach(group -> group(out, group));
        long more = results.groups().size() - (long) GROUPS_SHOWN;
        if (more > 0) {
            out.append('\n').append(more).append(" more reasons stand in the report\n");
        }
        ShadowResults.Asides asides = results.asides();
        if (asides.beyond() > 0) {
            out.append('\n')
                    .append(count(asides.beyond()))
                    .append(" more differences, of too many reasons to tell apart\n");
        }
        times(out, results.sides());
        if (results.isSlower()) {
            out.append("most answers of the new server come more than 10 ms later\n");
        }
        out.append("asked twice: the old server, ")
                .append(count(asides.repeated()))
                .append(" times; ")
                .append(count(asides.places()))
                .append(" places differ by themselves\n");
        results.leftOut()
                .forEach((reason, number) ->
                        out.append("not compared: ")
                                .append(count(number))
                                .append(", ")
                                .append(reason.words())
                                .append('\n'));
        return out.toString();
    }

    private static void group(StringBuilder out, DifferenceGroups.Group group) {
        Difference example = group.example();
        out.append('\n').append(count(group.count())).append(" × ").append(group.request());
        out.append("  ").append(example.cause()).append('\n');
        if (group.confirmed() == 0) {
            out.append("    not confirmed: the old server was not asked a second time\n");
        }
        out.append("    as in ").append(group.target()).append('\n');
        out.append("    old  ").append(example.old()).append('\n');
        out.append("    new  ").append(example.fresh()).append('\n');
    }

    private static void times(StringBuilder out, ShadowResults.Sides sides) {
        out.append("\nms        p50       p90       p99    5xx  none\n");
        row(out, "old", sides.old());
        row(out, "new", sides.fresh());
    }

    private static void row(StringBuilder out, String name, ShadowResults.Times times) {
        out.append(
                String.format(
                        Locale.ROOT,
                        "%s %9.2f %9.2f %9.2f %6d %5d\n",
                        name,
                        times.p50(),
                        times.p90(),
                        times.p99(),
                        times.failed(),
                        times.silent()));
    }
}
