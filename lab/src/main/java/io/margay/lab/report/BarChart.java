package io.margay.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Horizontal bars as inline SVG, each made of segments. Widths are percentages and heights pixels,
/// so that it fits any window without shrinking its text. Confined to one thread.
final class BarChart {
    private static final int ROW_PIXELS = 44;
    private static final int BAR_PIXELS = 16;

    /// A piece of a bar.
    ///
    /// @param style CSS class
    record Segment(String style, double value) {}

    private record Bar(String label, String value, List<Segment> segments) {
        private double sum() {
            return segments.stream().mapToDouble(Segment::value).sum();
        }
    }

    private final String title;
    private final List<Bar> bars = new ArrayList<>();

    BarChart(String title) {
        this.title = title;
    }

    void bar(String label, String value, List<Segment> segments) {
        bars.add(new Bar(label, value, segments));
    }

    @Override
    public String toString() {
        double most = bars.stream().mapToDouble(Bar::sum).max().orElse(0);
        StringBuilder svg = new StringBuilder();
        svg.append("<svg role=\"img\" width=\"100%\" height=\"");
        svg.append(bars.size() * ROW_PIXELS).append("\"><title>");
        svg.append(Html.text(title)).append("</title>\n");
        int y = 0;
        for (Bar bar : bars) {
            svg.append(label(bar.label, bar.value, y));
            double x = 0;
            for (Segment segment : bar.segments) {
                double width = most == 0 ? 0 : segment.value / most * 100;
                svg.append(
                        String.format(
                                Locale.ROOT,
                                "<rect class=\"%s\" x=\"%.3f%%\" y=\"%d\" width=\"%.3f%%\""
                                        + " height=\"%d\"/>\n",
                                segment.style,
                                x,
                                y + 20,
                                width,
                                BAR_PIXELS));
                x += width;
            }
            y += ROW_PIXELS;
        }
        return svg.append("</svg>\n").toString();
    }

    /// The line above a bar: its name on the left, its value on the right.
    static String label(String label, String value, int y) {
        return "<text x=\"0\" y=\"%d\">%s</text>"
                .concat("<text class=\"value\" x=\"100%%\" y=\"%d\">%s</text>\n")
                .formatted(y + 14, Html.text(label), y + 14, Html.text(value));
    }
}
