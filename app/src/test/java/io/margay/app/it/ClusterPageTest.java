package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The published tables of clusters with faults, and their sums: a short run leaves the table of a
/// longer one.
final class ClusterPageTest {
    private static final String SUMS =
            "| run | faults | GET, PUT | failed | POST | not answered | run twice | sessions lost"
                    + " | updates lost | slowest ms |\n"
                    + "|---|---|---|---|---|---|---|---|---|---|\n";

    @TempDir Path folder;
    private ClusterPages pages;

    private static List<ClusterRow> rows(long requests) {
        return List.of(row(ClusterFault.NOTHING, 1, 9), row(ClusterFault.KILL, requests - 1, 5));
    }

    private static ClusterRow row(ClusterFault fault, long requests, long slowest) {
        return new ClusterRow(
                "margay",
                fault,
                3,
                0,
                5,
                new SessionLoad.Totals(requests, 0, 7, 2, 0, 0, 0),
                0,
                0,
                0,
                new SessionLoad.Latencies(1, 1, 1, slowest));
    }

    @BeforeEach
    void pages() throws IOException {
        pages = ClusterPages.of(folder);
        Files.writeString(
                pages.data(),
                "# A\n\n## Margay, one\n\nSo.\n\n<!-- generated: one -->\n<!-- end -->\n\n"
                        + "## Other\n\n<!-- generated: two -->\nNot run.\n<!-- end -->\nend\n");
        Files.writeString(pages.sums(), "# B\n<!-- generated: sums -->\nold\n<!-- end -->\nend\n");
    }

    @Test
    void table_ofALongerRun_isNotReplacedByAShorterOne() throws IOException {
        pages.write("one", rows(2_000));
        String published = Files.readString(pages.data());
        assertTrue(published.contains("\n2000 GET and PUT requests"), published);
        pages.write("one", rows(300));
        assertEquals(published, Files.readString(pages.data()));
        pages.write("two", rows(300));
        pages.write("one", rows(2_001));
        String last = Files.readString(pages.data());
        assertTrue(last.contains("-->\n2001 GET and PUT requests"), last);
        assertTrue(last.contains("-->\n300 GET and PUT requests"), last);
        assertTrue(last.endsWith("<!-- end -->\nend\n"), last);
    }

    @Test
    void sums_areOfAllRunsWithATable_andOfMargayTogether() throws IOException {
        pages.write("one", rows(2_000));
        String margay = " | 3 | 2000 | 0 | 14 | 4 | 0 | 0 | 0 | 9 |\n";
        assertEquals(
                "# B\n<!-- generated: sums -->\n"
                        + SUMS
                        + "| Margay, one"
                        + margay
                        + "| **Margay, all runs**"
                        + margay
                        + "<!-- end -->\nend\n",
                Files.readString(pages.sums()));
        pages.write("two", rows(30));
        assertTrue(
                pages.published()
                        .contains("| Other | 3 | 30 | 0 | 14 | 4 | 0 | 0 | 0 | 9 |\n| **Margay"),
                pages.published());
    }

    /// `-Dmargay.update=true` writes them anew.
    @Test
    void publishedSums_areThoseOfThePublishedTables() throws IOException {
        if (Boolean.getBoolean("margay.update")) {
            ClusterPages.PUBLISHED.writeSums();
        }
        assertEquals(ClusterPages.PUBLISHED.sum(), ClusterPages.PUBLISHED.published());
    }
}
