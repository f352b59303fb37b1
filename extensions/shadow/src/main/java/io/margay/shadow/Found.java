package io.margay.shadow;

import java.util.ArrayList;
import java.util.List;

/// The differences of two answers while they are looked for, up to a limit. Confined to its owner.
final class Found {
    private final List<Difference> all = new ArrayList<>();
    private final Shown shown;
    private final int most;

    Found(Shown shown, int most) {
        this.shown = shown;
        this.most = most;
    }

    boolean isFull() {
        return all.size() >= most;
    }

    /// @param old as it came; an excerpt of it is shown
    void add(Kind kind, String place, String old, String fresh) {
        if (!isFull()) {
            Shown.Sides sides = shown.sides(old, fresh);
            all.add(new Difference(kind, Shown.place(place), sides.old(), sides.fresh()));
        }
    }

    /// One that was found elsewhere.
    void add(Difference one) {
        if (!isFull()) {
            all.add(one);
        }
    }

    /// What may not be shown.
    void addSecret(Kind kind, String place, String what) {
        if (!isFull()) {
            all.add(new Difference(kind, Shown.place(place), what, what));
        }
    }

    List<Difference> all() {
        return List.copyOf(all);
    }
}
