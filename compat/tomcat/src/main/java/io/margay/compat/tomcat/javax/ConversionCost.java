package io.margay.compat.tomcat.javax;

import java.util.Locale;

/// What a conversion has done and what it took. Confined to the thread that converts.
final class ConversionCost {
    private final long begin;
    private int classes;
    private int texts;
    private int librariesNew;
    private int librariesKept;
    private int signatures;

    /// @param begin nanoseconds, as [System#nanoTime]
    ConversionCost(long begin) {
        this.begin = begin;
    }

    /// Whether nothing has been converted, now or before.
    boolean isNothing() {
        return classes + texts + librariesNew + librariesKept == 0;
    }

    void converted(String name) {
        if (name.endsWith(".class")) {
            classes++;
        } else {
            texts++;
        }
    }

    void libraryConverted() {
        librariesNew++;
    }

    void libraryFromStore() {
        librariesKept++;
    }

    void signatureRemoved() {
        signatures++;
    }

    /// In one line, without its subject.
    String text(long now) {
        return String.format(
                Locale.ROOT,
                "%d classes, %d pages and descriptors, %s in %.1f s%s",
                classes,
                texts,
                libraries(),
                (now - begin) / 1e9,
                signatures == 0 ? "" : "; signatures removed from " + signatures);
    }

    private String libraries() {
        return librariesNew + " libraries converted, " + librariesKept + " found converted";
    }
}
