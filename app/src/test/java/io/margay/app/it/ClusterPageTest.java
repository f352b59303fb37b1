package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The published tables of clusters with faults: a short run leaves that of a longer one.
final class ClusterPageTest {
    @TempDir Path folder;

    private static List<ClusterRow> rows(long requests) {
        return List.of(
                new ClusterRow(
                        "margay",
                        ClusterFault.NOTHING,
                        1,
                        0,
                        5,
                        new SessionLoad.Totals(requests, 0, 7, 0, 0, 0, 0),
                        0,
                        0,
                        0,
                        new SessionLoad.Latencies(1, 1, 1, 1)));
    }

    @Test
    void table_ofALongerRun_isNotReplacedByAShorterOne() throws IOException {
        Path page = folder.resolve("cluster.md");
        Files.writeString(
                page,
                "# A\n<!-- generated: one -->\n<!-- end -->\n"
                        + "<!-- generated: two -->\nnot run yet\n<!-- end -->\nend\n");
        ClusterFaultsSoak.writePage(page, "one", rows(2_000));
        String published = Files.readString(page);
        assertTrue(published.contains("\n2000 GET and PUT requests"), published);
        ClusterFaultsSoak.writePage(page, "one", rows(300));
        assertEquals(published, Files.readString(page));
        ClusterFaultsSoak.writePage(page, "two", rows(300));
        ClusterFaultsSoak.writePage(page, "one", rows(2_001));
        String last = Files.readString(page);
        assertTrue(last.contains("-->\n2001 GET and PUT requests"), last);
        assertTrue(last.contains("-->\n300 GET and PUT requests"), last);
        assertTrue(last.endsWith("<!-- end -->\nend\n"), last);
    }
}
