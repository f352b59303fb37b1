package io.margay.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What stands on the screen, by a terminal of few orders.
final class ProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private Progress progress(boolean terminal) {
        return new Progress(new PrintStream(bytes, true, StandardCharsets.UTF_8), terminal);
    }

    private static List<String> screen(String written) {
        List<StringBuilder> rows = new ArrayList<>(List.of(new StringBuilder()));
        int row = 0;
        int column = 0;
        for (int i = 0; i < written.length(); i++) {
            char c = written.charAt(i);
            if (written.startsWith("\u001b[A", i)) {
                row--;
                i += 2;
            } else if (written.startsWith("\u001b[J", i)) {
                rows.subList(row + 1, rows.size()).clear();
                rows.get(row).setLength(column);
                i += 2;
            } else if (written.startsWith("\u001b[?7", i)) {
                i += 4;
            } else if (c == '\r') {
                column = 0;
            } else if (c == '\n') {
                column = 0;
                if (++row == rows.size()) {
                    rows.add(new StringBuilder());
                }
            } else {
                rows.get(row).setLength(column++);
                rows.get(row).append(c);
            }
        }
        return rows.stream().map(StringBuilder::toString).toList();
    }

    private List<String> screen() {
        return screen(bytes.toString(StandardCharsets.UTF_8));
    }

    @Test
    void tableAndLine_areWrittenOver_andWhatIsDoneStaysAbove() {
        Progress progress = progress(true);
        progress.now("starting %s", "a server of a long name");
        progress.table(List.of("head", "a 1"));
        progress.now("warming up");
        progress.done("b is left out");
        progress.table(List.of("head", "a 2", "c 3"));
        progress.now("round 2");
        assertEquals(List.of("b is left out", "head", "a 2", "c 3", "round 2"), screen());
        progress.keep();
        progress.now("next");
        assertEquals(List.of("b is left out", "head", "a 2", "c 3", "next"), screen());
    }

    @Test
    void withoutTerminal_onlyWhatIsDoneIsSaid() {
        Progress progress = progress(false);
        assertFalse(progress.isLive());
        progress.now("starting");
        progress.table(List.of("head"));
        progress.done("done");
        progress.keep();
        String all = bytes.toString(StandardCharsets.UTF_8);
        assertTrue(all.equals("done" + System.lineSeparator()), all);
    }
}
