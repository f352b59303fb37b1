package io.margay.lab.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/// Where a JVM has spent its processor time, by samples of its stacks, and its collections.
/// Immutable.
///
/// @param stacks the frame in which all begin; no samples = nothing is known
public record Profile(Frame stacks, Collections collections) {
    static final String SAMPLE = "jdk.CPUTimeSample";
    static final String COLLECTION = "jdk.GarbageCollection";

    /// A method in fewer of the samples is left out, with what it has called.
    private static final double SHARE_MIN = 0.005;

    /// A method, and those that it has called.
    ///
    /// @param name with its class
    /// @param samples in which it was on the stack
    public record Frame(String name, int samples, List<Frame> calls) {
        public Frame {
            calls = List.copyOf(calls);
        }
    }

    /// Collections of garbage while samples were taken.
    ///
    /// @param seconds the whole time
    /// @param pauseMillis in which the JVM stood still, in all
    public record Collections(int count, double seconds, double pauseMillis, double longestMillis) {
        /// In words.
        public String words() {
            return count == 0
                    ? String.format(Locale.ROOT, "no collection in %.1f s", seconds)
                    : String.format(
                            Locale.ROOT,
                            "%d collections in %.1f s: %.1f ms of pauses, the longest %.1f ms",
                            count,
                            seconds,
                            pauseMillis,
                            longestMillis);
        }
    }

    private static final class Node {
        private final Map<String, Node> calls = new LinkedHashMap<>();
        private int samples;

        private Frame frame(String name, double least) {
            List<Frame> below = new ArrayList<>();
            calls.forEach((of, node) -> {
                if (node.samples >= least) {
                    below.add(node.frame(of, least));
                }
            });
            return new Frame(name, samples, below);
        }
    }

    /// Of a recording.
    static Profile of(Path recording, Duration length) throws IOException {
        Node all = new Node();
        int count = 0;
        double pauses = 0;
        double longest = 0;
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                String name = event.getEventType().getName();
                if (name.equals(SAMPLE)) {
                    add(all, event);
                } else if (name.equals(COLLECTION)) {
                    count++;
                    pauses += event.getDuration("sumOfPauses").toNanos() / 1e6;
                    longest = Math.max(longest, event.getDuration("longestPause").toNanos() / 1e6);
                }
            }
        }
        return new Profile(
                all.frame("all", all.samples * SHARE_MIN),
                new Collections(count, length.toNanos() / 1e9, pauses, longest));
    }

    private static void add(Node all, RecordedEvent event) {
        if (event.getStackTrace() == null) {
            return;
        }
        Node at = all;
        at.samples++;
        for (RecordedFrame frame : event.getStackTrace().getFrames().reversed()) {
            RecordedMethod method = frame.getMethod();
            String name = method.getType().getName() + "." + method.getName();
            at = at.calls.computeIfAbsent(name, _ -> new Node());
            at.samples++;
        }
    }
}
