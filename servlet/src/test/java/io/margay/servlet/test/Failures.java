package io.margay.servlet.test;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Assertions that failed inside of servlets, where the container would turn them into a 500: they
/// are thrown again in the test's own thread. Thread-safe.
final class Failures {
    private static final Queue<AssertionError> NOTED = new ConcurrentLinkedQueue<>();

    private Failures() {}

    static void note(AssertionError error) {
        NOTED.add(error);
    }

    static void check() {
        AssertionError error = NOTED.poll();
        if (error != null) {
            NOTED.clear();
            throw new AssertionError("inside of a servlet: " + error.getMessage(), error);
        }
    }
}
