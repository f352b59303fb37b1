package io.margay.lab.report;

import io.margay.lab.load.Latency;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Percentiles of latency on a logarithmic scale as inline SVG: one line per server from the median
/// to the 99.9th percentile. Confined to one thread.
final class LatencyChart {
    private static final int ROW_PIXELS = 40;
    private static final int AXIS_PIXELS = 24;
    static final double[] PERCENTILES = {50, 90, 99, 99.9};

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Row(String label, double[] millis) {}

    private final List<Row> rows = new ArrayList<>();

    void row(String label, Latency latency) {
        double[] millis = new double[PERCENTILES.length];
        for (int i = 0; i < millis.length; i++) {
            millis[i] = Math.max(0.001, latency.percentileMillis(PERCENTILES[i]));
        }
        rows.add(new Row(label, millis));
    }

    @Override
    public String toString() {
        double low = Double.MAX_VALUE;
        double high = 0;
        for (Row row : rows) {
            low = Math.min(low, row.millis[0]);
            high = Math.max(high, row.millis[PERCENTILES.length - 1]);
        }
        if (rows.isEmpty()) {
            return "";
        }
        double from = Math.floor(Math.log10(low));
        double to = Math.max(from + 1, Math.ceil(Math.log10(high)));
        int height = rows.size() * ROW_PIXELS + AXIS_PIXELS;
        StringBuilder svg = new StringBuilder();
        svg.append("<svg role=\"img\" width=\"100%\" height=\"").append(height);
        svg.append("\"><title>Latency in milliseconds, logarithmic</title>\n");
        for (double decade = from; decade <= to; decade++) {
            double x = place(Math.pow(10, decade), from, to);
            String anchor = decade == from ? "start" : decade == to ? "end" : "middle";
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<line class=\"grid\" x1=\"%1$.2f%%\" x2=\"%1$.2f%%\" y1=\"0\""
                                    + " y2=\"%2$d\"/><text class=\"axis\" text-anchor=\"%3$s\""
                                    + " x=\"%1$.2f%%\" y=\"%4$d\">%5$s ms</text>\n",
                            x,
                            height - AXIS_PIXELS,
                            anchor,
                            height - 6,
                            words(Math.pow(10, decade))));
        }
        int y = 0;
        for (Row row : rows) {
            svg.append(line(row, y, from, to));
            y += ROW_PIXELS;
        }
        return svg.append("</svg>\n").toString();
    }

    private static String line(Row row, int y, double from, double to) {
        StringBuilder svg = new StringBuilder();
        svg.append("<text x=\"0\" y=\"").append(y + 14).append("\">");
        svg.append(Html.text(row.label)).append("</text>\n");
        int last = PERCENTILES.length - 1;
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<line class=\"span\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%3$d\""
                                + " y2=\"%3$d\"/>\n",
                        place(row.millis[0], from, to),
                        place(row.millis[last], from, to),
                        y + 26));
        for (int i = 0; i <= last; i++) {
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<circle class=\"p%d\" cx=\"%.2f%%\" cy=\"%d\" r=\"5\"><title>%s%%: %s"
                                    + " ms</title></circle>\n",
                            i,
                            place(row.millis[i], from, to),
                            y + 26,
                            words(PERCENTILES[i]),
                            Figures.millis(row.millis[i])));
        }
        return svg.toString();
    }

    /// The shortest form: `50`, `99.9`, `0.1`.
    static String words(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    /// Percent of the width; a little free at both sides for the dots.
    private static double place(double millis, double from, double to) {
        return 2 + 96 * (Math.log10(millis) - from) / (to - from);
    }
}
