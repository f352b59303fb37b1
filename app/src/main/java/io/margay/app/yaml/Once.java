package io.margay.app.yaml;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What is made when it is asked for the first time: no start needs all of the file's description.
/// Threads that ask at the same time may make it twice.
public final class Once<T> implements Supplier<T> {
    private final Supplier<T> make;
    private volatile @Nullable T made;

    public Once(Supplier<T> make) {
        this.make = make;
    }

    @Override
    public T get() {
        T known = made;
        if (known == null) {
            known = make.get();
            made = known;
        }
        return known;
    }
}
