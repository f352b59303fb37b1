package io.margay.app.sight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TopScreenTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    private final List<String> asked = new ArrayList<>();
    private final Iterator<TopScreen.Size> sizes =
            List.of(
                            new TopScreen.Size(40, 10),
                            new TopScreen.Size(30, 6),
                            new TopScreen.Size(200, 50))
                    .iterator();

    private List<String> frame(TopView view, TopScreen.Size size) {
        asked.add(view.word() + " " + size.width() + "x" + size.height());
        return List.of("one", "two", "three", "four", "five", "six");
    }

    private String show(InputStream keys) throws IOException {
        new TopScreen(keys, out, sizes::next, this::frame).show(TopView.OVERVIEW);
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void keys_leadToOtherViews_andTheSizeIsThatOfNow() throws IOException {
        String text = show(new ByteArrayInputStream("rxq".getBytes(StandardCharsets.US_ASCII)));
        assertEquals(List.of("overview 40x8", "routes 30x4", "routes 200x48"), asked);
        String[] frames = text.split("\u001b\\[H", -1);
        assertEquals(4, frames.length);
        assertTrue(frames[1].contains("six"), frames[1]);
        assertTrue(frames[2].contains("four"), frames[2]);
        assertFalse(frames[2].contains("five"), "the screen has six lines: " + frames[2]);
        assertFalse(frames[2].contains("q quit"), "and 30 columns: " + frames[2]);
        assertTrue(frames[3].contains("q quit"), frames[3]);
    }

    @Test
    void terminal_isGivenBack_alsoWhenTheServerHasGone() throws IOException {
        String left = "\u001b[?25h\u001b[?1049l";
        assertTrue(show(new ByteArrayInputStream(new byte[] {'q'})).endsWith(left));
        written.reset();
        TopScreen screen =
                new TopScreen(
                        new ByteArrayInputStream(new byte[0]),
                        out,
                        sizes::next,
                        (view, size) -> {
                            throw new IllegalStateException("gone");
                        });
        try {
            screen.show(TopView.HOSTS);
        } catch (IllegalStateException e) {
            assertEquals("gone", e.getMessage());
        }
        assertTrue(written.toString(StandardCharsets.UTF_8).endsWith(left));
    }
}
