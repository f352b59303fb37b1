package io.margay.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.servers.ServerSpec;
import io.margay.lab.servers.kinds.Catalog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CellTurnsTest {
    private final List<Cell> cells =
            Stream.of("tomcat:nio", "nginx", "margay:nio")
                    .map(CellTurnsTest::spec)
                    .map(Cell::new)
                    .toList();

    private final List<String> taken = new ArrayList<>();

    private static ServerSpec spec(String name) {
        return Catalog.all().spec(name);
    }

    @Test
    void rounds_goForthAndBack() throws IOException {
        Cell.Turns turns = new Cell.Turns(cells);
        for (int i = 0; i < 2; i++) {
            assertTrue(turns.round(() -> false, cell -> taken.add(cell.spec.name())));
        }
        assertEquals(
                List.of("tomcat:nio", "nginx", "margay:nio", "margay:nio", "nginx", "tomcat:nio"),
                taken);
    }

    @Test
    void whatHasFailed_hasNoTurn() throws IOException {
        Cell.Turns turns = new Cell.Turns(cells);
        assertTrue(
                turns.round(
                        () -> false,
                        cell -> {
                            taken.add(cell.spec.name());
                            cells.get(1).failure = "it has ended";
                        }));
        assertEquals(List.of("tomcat:nio", "margay:nio"), taken);
    }

    @Test
    void noTurnBegins_whenTheTimeIsOver() throws IOException {
        Cell.Turns turns = new Cell.Turns(cells);
        assertFalse(turns.round(() -> taken.size() == 2, cell -> taken.add(cell.spec.name())));
        assertEquals(List.of("tomcat:nio", "nginx"), taken);
    }
}
