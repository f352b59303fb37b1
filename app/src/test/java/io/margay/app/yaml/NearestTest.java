package io.margay.app.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class NearestTest {
    private static final List<String> KEYS = List.of("listeners", "hosts", "sessions", "transport");

    @Test
    void word_withOneWrongLetter_findsTheKey() {
        assertEquals(Optional.of("hosts"), Nearest.of("host", KEYS));
        assertEquals(Optional.of("transport"), Nearest.of("trasnport", KEYS));
        assertEquals(Optional.of("listeners"), Nearest.of("Listener", KEYS));
        assertEquals(Optional.of("sessions"), Nearest.of("sess", KEYS));
    }

    @Test
    void word_thatIsFarFromAll_findsNone() {
        assertEquals(Optional.empty(), Nearest.of("upstream", KEYS));
        assertEquals(Optional.empty(), Nearest.of("x", List.of("y", "z")));
        assertEquals(Optional.empty(), Nearest.of("x", List.of()));
    }

    @Test
    void hint_withoutNearWord_listsAll() {
        assertEquals("; valid are: http, https", Nearest.hint("zzzzz", List.of("http", "https")));
        assertEquals("; did you mean \"http\"?", Nearest.hint("htp", List.of("http", "https")));
    }
}
