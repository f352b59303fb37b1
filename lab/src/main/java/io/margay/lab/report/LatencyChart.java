package io.margay.lab.report;

import io.margay.lab.load.Latency;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Percentiles of latency on a logarithmic scale as inline SVG: one line per server from the median
/// to the 99.9th percentile. Confined to one thread.
final class LatencyChart {
    private static final String TITLE = "Latency in milliseconds, logarithmic";
    private static final int ROW_PIXELS = 20;
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
        int from = (int) Math.floor(Math.log10(low));
        int to = Math.max(from + 1, (int) Math.ceil(Math.log10(high)));
        String grid = grid(from, to);
        StringBuilder html = new StringBuilder();
        for (Row row : rows) {
            html.append("<p class=\"bar\">").append(Html.text(row.label)).append("</p>\n");
            html.append(Html.drawing(ROW_PIXELS, TITLE + ": " + row.label)).append(grid);
            html.append(line(row, from, to)).append("</svg>\n");
        }
        return html.append(axis(from, to)).toString();
    }

    private static String grid(int from, int to) {
        StringBuilder svg = new StringBuilder();
        for (int decade = from; decade <= to; decade++) {
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<line class=\"grid\" x1=\"%1$.2f%%\" x2=\"%1$.2f%%\" y1=\"0\""
                                    + " y2=\"%2$d\"/>",
                            place(Math.pow(10, decade), from, to),
                            ROW_PIXELS));
        }
        return svg.append('\n').toString();
    }

    private static String axis(int from, int to) {
        StringBuilder svg = new StringBuilder(Html.drawing(AXIS_PIXELS, TITLE));
        for (int decade = from; decade <= to; decade++) {
            String anchor = decade == from ? "start" : decade == to ? "end" : "middle";
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<text class=\"axis\" text-anchor=\"%s\" x=\"%.2f%%\""
                                    + " y=\"%d\">%s</text>\n",
                            anchor,
                            place(Math.pow(10, decade), from, to),
                            AXIS_PIXELS - 6,
                            tick(decade)));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String line(Row row, int from, int to) {
        StringBuilder svg = new StringBuilder();
        int last = PERCENTILES.length - 1;
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<line class=\"span\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%3$d\""
                                + " y2=\"%3$d\"/>\n",
                        place(row.millis[0], from, to),
                        place(row.millis[last], from, to),
                        ROW_PIXELS / 2));
        for (int i = 0; i <= last; i++) {
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<circle class=\"p%d\" cx=\"%.2f%%\" cy=\"%d\" r=\"5\"><title>%s%%: %s"
                                    + " ms</title></circle>\n",
                            i,
                            place(row.millis[i], from, to),
                            ROW_PIXELS / 2,
                            words(PERCENTILES[i]),
                            Figures.millis(row.millis[i])));
        }
        return svg.toString();
    }

    /// A power of ten milliseconds in the unit that keeps it short, for seven have to stand in a
    /// line of a narrow window: `10 µs`, `100 ms`, `10 s`.
    static String tick(int decade) {
        if (decade < 0) {
            return powerOfTen(decade + 3) + " µs";
        }
        return decade < 3 ? powerOfTen(decade) + " ms" : powerOfTen(decade - 3) + " s";
    }

    private static String powerOfTen(int exponent) {
        return words(Math.pow(10, exponent));
    }

    /// The shortest form: `50`, `99.9`, `0.1`.
    static String words(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    /// Percent of the width; a little free at both sides for the dots.
    private static double place(double millis, int from, int to) {
        return 2 + 96 * (Math.log10(millis) - from) / (to - from);
    }
}
