package io.margay.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Horizontal bars as inline SVG, each made of segments, under a line of HTML that breaks where the
/// window is narrow. Confined to one thread.
final class BarChart {
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
        StringBuilder html = new StringBuilder();
        for (Bar bar : bars) {
            html.append("<p class=\"bar\">").append(Html.text(bar.label)).append("<b>");
            html.append(Html.text(bar.value)).append("</b></p>\n");
            html.append(Html.drawing(BAR_PIXELS, title + ": " + bar.label));
            double x = 0;
            for (Segment segment : bar.segments) {
                double width = most == 0 ? 0 : segment.value / most * 100;
                html.append(
                        String.format(
                                Locale.ROOT,
                                "<rect class=\"%s\" x=\"%.3f%%\" width=\"%.3f%%\""
                                        + " height=\"%d\"/>\n",
                                segment.style,
                                x,
                                width,
                                BAR_PIXELS));
                x += width;
            }
            html.append("</svg>\n");
        }
        return html.toString();
    }
}
