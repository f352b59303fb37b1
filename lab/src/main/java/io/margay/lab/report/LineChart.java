package io.margay.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Milliseconds on a logarithmic scale over something else as inline SVG, one line per server.
/// Confined to one thread.
final class LineChart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 220;
    private static final int LEFT = 60;
    private static final int BOTTOM = 24;
    private static final int TOP = 8;
    private static final int COLORS = 6;

    /// @param x from 0 to 1
    record Point(double x, double millis) {}

    /// @param x from 0 to 1
    record Tick(double x, String text) {}

    private record Line(String label, List<Point> points) {}

    private final String title;
    private final List<Tick> ticks;
    private final List<Line> lines = new ArrayList<>();

    /// @param title what those are told who cannot see it
    LineChart(String title, List<Tick> ticks) {
        this.title = title;
        this.ticks = List.copyOf(ticks);
    }

    void line(String label, List<Point> points) {
        if (!points.isEmpty()) {
            lines.add(new Line(label, List.copyOf(points)));
        }
    }

    @Override
    public String toString() {
        if (lines.isEmpty()) {
            return "";
        }
        double low = Double.MAX_VALUE;
        double high = 0;
        for (Line line : lines) {
            for (Point point : line.points) {
                low = Math.min(low, millis(point));
                high = Math.max(high, millis(point));
            }
        }
        int from = (int) Math.floor(Math.log10(low));
        int to = Math.max(from + 1, (int) Math.ceil(Math.log10(high)));
        StringBuilder html = new StringBuilder("<p class=\"key\">");
        for (int i = 0; i < lines.size(); i++) {
            html.append("<b><span class=\"u%d\"></span>".formatted(i % COLORS));
            html.append(Html.text(lines.get(i).label)).append("</b> ");
        }
        html.append("</p>\n<svg role=\"img\" width=\"100%\" viewBox=\"0 0 ");
        html.append(WIDTH).append(' ').append(HEIGHT).append("\"><title>");
        html.append(Html.text(title)).append("</title>\n");
        for (int decade = from; decade <= to; decade++) {
            double y = y(Math.pow(10, decade), from, to);
            grid(html, LEFT, y, WIDTH, y);
            text(html, LEFT - 6, y + 4, "end", LatencyChart.tick(decade));
        }
        for (Tick tick : ticks) {
            grid(html, x(tick.x), TOP, x(tick.x), HEIGHT - BOTTOM);
            text(html, x(tick.x), HEIGHT - 6, tick.x < 1 ? "middle" : "end", tick.text);
        }
        for (int i = 0; i < lines.size(); i++) {
            html.append("<polyline class=\"l").append(i % COLORS).append("\" points=\"");
            for (Point point : lines.get(i).points) {
                html.append(
                        String.format(
                                Locale.ROOT, "%.1f,%.1f ", x(point.x), y(millis(point), from, to)));
            }
            html.append("\"/>\n");
        }
        return html.append("</svg>\n").toString();
    }

    private static double millis(Point point) {
        return Math.max(0.001, point.millis);
    }

    private static double x(double part) {
        return LEFT + part * (WIDTH - LEFT);
    }

    private static double y(double millis, int from, int to) {
        double part = (Math.log10(millis) - from) / (to - from);
        return HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
    }

    private static void grid(StringBuilder html, double x1, double y1, double x2, double y2) {
        html.append(
                String.format(
                        Locale.ROOT,
                        "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
                        x1,
                        y1,
                        x2,
                        y2));
    }

    private static void text(StringBuilder html, double x, double y, String anchor, String text) {
        html.append(
                String.format(
                        Locale.ROOT,
                        "<text class=\"axis\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n",
                        anchor,
                        x,
                        y,
                        Html.text(text)));
    }
}
