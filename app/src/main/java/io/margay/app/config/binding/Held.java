package io.margay.app.config.binding;

/// What builds a value that has one of several forms: the keys that are given set it as a whole.
/// Used by one thread.
public final class Held<R> {
    private R value;

    Held(R value) {
        this.value = value;
    }

    /// The value so far.
    public R get() {
        return value;
    }

    /// Takes another value.
    public void set(R other) {
        value = other;
    }
}
