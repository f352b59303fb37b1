package io.margay.app.sight;

import io.margay.server.sight.SightKey.By;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What `margay top` shows.
enum TopView {
    OVERVIEW('o'),
    HOSTS('h'),
    ROUTES('r'),
    APPLICATIONS('a'),
    MEMBERS('m');

    private final char key;

    TopView(char key) {
        this.key = key;
    }

    /// Its word on the command line.
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// What it is made of.
    List<By> tables() {
        return switch (this) {
            case OVERVIEW -> List.of(By.LISTENER, By.HOST);
            case HOSTS -> List.of(By.HOST);
            case ROUTES -> List.of(By.ROUTE);
            case APPLICATIONS -> List.of(By.APPLICATION);
            case MEMBERS -> List.of(By.UPSTREAM, By.MEMBER);
        };
    }

    /// The one of a word, or null.
    static @Nullable TopView of(String word) {
        for (TopView each : values()) {
            if (each.word().equals(word)) {
                return each;
            }
        }
        return null;
    }

    /// The one of a key, or null.
    static @Nullable TopView of(int key) {
        for (TopView each : values()) {
            if (each.key == key) {
                return each;
            }
        }
        return null;
    }
}
