package io.margay.app.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingStream;

/// Where the threads of the process spend processor time, by samples of the JDK's flight recorder:
/// a tree of frames for a flame graph. One recording at a time. Thread-safe.
public final class Flame {
    private static final Duration EVERY = Duration.ofMillis(10);
    private static final List<String> OWN_EVENTS =
            List.of("io.margay.Request", "io.margay.Attempt", "io.margay.SessionCall");
    private static final int FRAMES_MAX = 20_000;

    private final ReentrantLock lock = new ReentrantLock();

    /// A frame and those that it called.
    private static final class Frame {
        private final Map<String, Frame> called = new LinkedHashMap<>();
        private int samples;

        private Map<String, Object> tree(String name) {
            List<Map<String, Object>> below = new ArrayList<>();
            called.forEach((of, frame) -> below.add(frame.tree(of)));
            return Map.of("name", name, "samples", samples, "calls", below);
        }
    }

    private static final class Samples {
        private final Frame all = new Frame();
        private int frames;

        private synchronized void add(RecordedEvent event) {
            RecordedStackTrace stack = event.getStackTrace();
            if (stack == null) {
                return;
            }
            all.samples++;
            Frame at = all;
            List<RecordedFrame> found = stack.getFrames();
            for (int i = found.size() - 1; i >= 0; i--) {
                String name = name(found.get(i).getMethod());
                Frame next = at.called.get(name);
                if (next == null) {
                    if (frames == FRAMES_MAX) {
                        return;
                    }
                    frames++;
                    next = new Frame();
                    at.called.put(name, next);
                }
                next.samples++;
                at = next;
            }
        }

        private static String name(RecordedMethod method) {
            return method.getType().getName() + "." + method.getName();
        }

        private synchronized Map<String, Object> tree() {
            return all.tree("all");
        }
    }

    /// Records for a while; waits so long.
    ///
    /// @param length 1 to 60 s
    /// @return frames: `name`, `samples`, `calls`; empty = another recording is in progress
    public Map<String, Object> record(Duration length) {
        if (!lock.tryLock()) {
            return Map.of();
        }
        Samples samples = new Samples();
        try (RecordingStream stream = new RecordingStream()) {
            stream.enable("jdk.ExecutionSample").withPeriod(EVERY);
            OWN_EVENTS.forEach(stream::disable); // which would be part of what is looked at
            stream.onEvent("jdk.ExecutionSample", samples::add);
            stream.startAsync();
            long end = System.nanoTime() + length.toNanos();
            while (end - System.nanoTime() > 0) {
                LockSupport.parkNanos(this, end - System.nanoTime());
            }
            stream.stop();
        } finally {
            lock.unlock();
        }
        return samples.tree();
    }
}
