package io.margay.app.sight;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// A terminal on which a view is painted again and again, until `q` is typed. Confined to one
/// thread.
final class TopScreen {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST_OF_SCREEN = "\u001b[J";
    private static final String BRIGHT = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";
    private static final String KEYS =
            "o overview  h hosts  r routes  a applications  m members  q quit";

    /// Between two looks at the keyboard, and between two frames.
    private static final long LOOK_NANOS = 50_000_000L;

    private static final int LOOKS = 20;
    private static final int END_OF_TEXT = 3;

    private final InputStream keys;
    private final PrintStream out;
    private final Supplier<Size> size;
    private final Frames frames;

    /// Columns and rows.
    record Size(int width, int height) {}

    /// Where what is painted comes from.
    @FunctionalInterface
    interface Frames {
        List<String> of(TopView view, Size size);
    }

    TopScreen(InputStream keys, PrintStream out, Supplier<Size> size, Frames frames) {
        this.keys = keys;
        this.out = out;
        this.size = size;
        this.frames = frames;
    }

    /// Paints until `q` is typed, or there is no keyboard any more.
    void show(TopView first) throws IOException {
        TopView view = first;
        out.print(ENTER);
        try {
            while (true) {
                paint(view);
                int key = awaitKey();
                if (key == 'q' || key == END_OF_TEXT || key == -1) {
                    return;
                }
                TopView wanted = TopView.of(key);
                view = wanted == null ? view : wanted;
            }
        } finally {
            leave();
        }
    }

    /// Gives the terminal back.
    void leave() {
        out.print(LEAVE);
        out.flush();
    }

    private void paint(TopView view) {
        Size now = size.get();
        List<String> lines = frames.of(view, new Size(now.width, now.height - 2));
        StringBuilder frame = new StringBuilder(HOME);
        int painted = Math.min(lines.size(), now.height - 2);
        for (int i = 0; i < painted; i++) {
            frame.append(lines.get(i)).append(REST_OF_LINE).append("\r\n");
        }
        frame.append(REST_OF_LINE).append("\r\n").append(BRIGHT);
        frame.append(KEYS, 0, Math.min(KEYS.length(), now.width)).append(PLAIN);
        frame.append(REST_OF_LINE).append(REST_OF_SCREEN);
        out.print(frame);
        out.flush();
    }

    /// The next key; 0 when it is time for another frame, -1 when there are no more.
    private int awaitKey() throws IOException {
        for (int i = 0; i < LOOKS; i++) {
            if (keys.available() > 0) {
                return keys.read();
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        return 0;
    }
}
