package io.margay.lab.report;

import io.margay.lab.machine.Profile;
import java.util.Locale;

/// A flame graph as inline SVG, in which callers stand above what they have called: what is wider
/// has taken more processor time. Stateless.
final class FlameChart {
    private static final int WIDTH = 1000;
    private static final int ROW = 16;
    private static final int ROWS_MAX = 60;
    private static final double LETTER = 6.2;
    private static final int LETTERS_MIN = 4;
    private static final int COLORS = 6;

    private FlameChart() {}

    static String of(String server, Profile.Frame all) {
        int rows = Math.min(ROWS_MAX, depth(all));
        StringBuilder svg = new StringBuilder("<svg role=\"img\" width=\"100%\" viewBox=\"0 0 ");
        svg.append(WIDTH).append(' ').append(rows * ROW).append("\"><title>Processor time of ");
        svg.append(Html.text(server)).append(" by method</title>\n");
        frame(svg, all, 0, 0, (double) WIDTH / all.samples(), all.samples());
        return svg.append("</svg>\n").toString();
    }

    private static int depth(Profile.Frame frame) {
        return 1 + frame.calls().stream().mapToInt(FlameChart::depth).max().orElse(0);
    }

    private static void frame(
            StringBuilder svg, Profile.Frame frame, double x, int row, double scale, int all) {
        if (row == ROWS_MAX) {
            return;
        }
        double width = frame.samples() * scale;
        String name = Html.text(frame.name());
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<g><title>%s: %.1f %%</title><rect class=\"s%d\" x=\"%.1f\" y=\"%d\""
                                + " width=\"%.1f\" height=\"%d\"/>",
                        name,
                        100.0 * frame.samples() / all,
                        Math.floorMod(owner(frame.name()).hashCode(), COLORS),
                        x,
                        row * ROW,
                        Math.max(0.5, width - 0.5),
                        ROW - 1));
        int letters = (int) (width / LETTER);
        if (letters >= LETTERS_MIN) {
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<text class=\"axis\" x=\"%.1f\" y=\"%d\">%s</text>",
                            x + 2,
                            row * ROW + ROW - 4,
                            Html.text(shortened(frame.name(), letters))));
        }
        svg.append("</g>\n");
        double at = x;
        for (Profile.Frame called : frame.calls()) {
            frame(svg, called, at, row + 1, scale, all);
            at += called.samples() * scale;
        }
    }

    /// The first two parts of the name of a package, such as `io.margay`.
    private static String owner(String name) {
        int dot = name.indexOf('.', name.indexOf('.') + 1);
        return dot < 0 ? name : name.substring(0, dot);
    }

    /// Class and method, without the package, as far as there is room.
    private static String shortened(String name, int letters) {
        int method = name.lastIndexOf('.');
        String plain = name.substring(name.lastIndexOf('.', Math.max(0, method - 1)) + 1);
        return plain.length() <= letters ? plain : plain.substring(0, letters - 1) + "…";
    }
}
