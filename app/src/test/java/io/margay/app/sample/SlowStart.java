package io.margay.app.sample;

/// A class that takes long to be initialized.
public final class SlowStart {
    /// When it had been.
    public static final long READY;

    static {
        long end = System.nanoTime() + 700_000_000L;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        READY = System.nanoTime();
    }

    private SlowStart() {}
}
