package io.margay.app.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is published of clusters with faults: a page with the table of each run, below a heading
/// and between marks, and on another page the sums of all of them, which are made of these tables.
///
/// @param data the page of the tables
/// @param sums the page of their sums
record ClusterPages(Path data, Path sums) {
    /// Those of this project.
    static final ClusterPages PUBLISHED = of(ServerProcess.checkout().resolve("docs/measurements"));

    private static final String BEGIN = "<!-- generated: ";
    private static final String END = "<!-- end -->";

    /// The heading of a run, its word, and its table.
    private static final Pattern RUN =
            Pattern.compile("## ([^\n]+)\n[^#]*?" + BEGIN + "(\\S+) -->\n([^#]*?)" + END);

    /// How a table begins.
    private static final Pattern ANSWERED = Pattern.compile("([0-9]{1,18}) GET and PUT requests");

    /// What is summed up, by the heads of the columns.
    private static final List<String> COLUMNS =
            List.of(
                    "times",
                    "GET, PUT",
                    "failed",
                    "POST",
                    "not answered",
                    "run twice",
                    "sessions lost",
                    "updates lost",
                    "slowest ms");

    private static final int SLOWEST = COLUMNS.size() - 1;

    static ClusterPages of(Path folder) {
        return new ClusterPages(folder.resolve("cluster-data.txt"), folder.resolve("cluster.md"));
    }

    /// Puts the table of a system that has been through all of it between its marks, unless one of
    /// a longer run stands there: a short run only shows that all of it still works.
    ///
    /// @param word what `-Dmargay.cluster.systems` calls it
    void write(String word, List<ClusterRow> own) throws IOException {
        long all = own.stream().mapToLong(it -> it.seen().idempotent()).sum();
        long posts = own.stream().mapToLong(it -> it.seen().posts()).sum();
        long seconds = own.stream().mapToLong(ClusterRow::seconds).sum();
        StringBuilder table = new StringBuilder();
        table.append(
                "%d GET and PUT requests and %d POST requests were answered in %d s.\n\n"
                        .formatted(all, posts, seconds));
        table.append(ClusterRow.HEAD);
        own.forEach(row -> table.append(row.markdown()));
        Matcher published = ANSWERED.matcher(between(Files.readString(data), word));
        if (published.lookingAt() && Long.parseLong(published.group(1)) > all) {
            return;
        }
        put(data, word, table.toString());
        writeSums();
    }

    void writeSums() throws IOException {
        put(sums, "sums", sum());
    }

    /// The sums as they are published.
    String published() throws IOException {
        return between(Files.readString(sums), "sums");
    }

    /// A row for each run, and one for all of Margay's.
    String sum() throws IOException {
        StringBuilder table = new StringBuilder("| run | faults |");
        COLUMNS.stream().skip(1).forEach(each -> table.append(' ').append(each).append(" |"));
        table.append("\n|").append("---|".repeat(COLUMNS.size() + 1)).append('\n');
        long[] margay = new long[COLUMNS.size()];
        String page = Files.readString(data);
        if (RUN.matcher(page).results().count() != page.split(BEGIN, -1).length - 1) {
            throw new IllegalStateException("not all runs are read of " + data);
        }
        Matcher run = RUN.matcher(page);
        while (run.find()) {
            if (run.group(3).contains("\n|")) {
                long[] sum = sum(run.group(3));
                append(table, run.group(1), sum);
                if (run.group(1).startsWith("Margay")) {
                    add(margay, sum);
                }
            }
        }
        append(table, "**Margay, all runs**", margay);
        return table.toString();
    }

    private static void append(StringBuilder table, String what, long[] sum) {
        table.append("| ").append(what).append(" |");
        Arrays.stream(sum).forEach(each -> table.append(' ').append(each).append(" |"));
        table.append('\n');
    }

    private static void add(long[] to, long[] more) {
        for (int i = 0; i < to.length; i++) {
            to[i] = i == SLOWEST ? Math.max(to[i], more[i]) : to[i] + more[i];
        }
    }

    private static long[] sum(String table) {
        List<List<String>> rows =
                table.lines()
                        .filter(line -> line.startsWith("| "))
                        .map(line -> List.of(line.substring(2).split(" \\| ?")))
                        .toList();
        List<String> head = rows.getFirst();
        long[] sum = new long[COLUMNS.size()];
        for (List<String> row : rows.subList(1, rows.size())) {
            boolean nothing = row.getFirst().split(";", 2)[0].equals(ClusterFault.NOTHING.words());
            long[] one = new long[COLUMNS.size()];
            for (int i = nothing ? 1 : 0; i < one.length; i++) {
                one[i] = Long.parseLong(row.get(head.indexOf(COLUMNS.get(i))));
            }
            add(sum, one);
        }
        return sum;
    }

    private static int[] place(String page, String word) {
        String begin = BEGIN + word + " -->\n";
        int at = page.indexOf(begin);
        int from = at + begin.length();
        int to = page.indexOf(END, from);
        if (at < 0 || to < 0) {
            throw new IllegalArgumentException("no place for " + word);
        }
        return new int[] {from, to};
    }

    private static String between(String page, String word) {
        int[] place = place(page, word);
        return page.substring(place[0], place[1]);
    }

    private static void put(Path file, String word, String text) throws IOException {
        String page = Files.readString(file);
        int[] place = place(page, word);
        Files.writeString(file, page.substring(0, place[0]) + text + page.substring(place[1]));
    }
}
