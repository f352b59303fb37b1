package io.margay.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;

/// Replays an input in pieces: cut once at every position, and byte by byte. A decoder must tell
/// the same each time.
public final class CutEverywhere {
    /// A decoder under test with what it needs to be fed.
    public interface Receiver {
        /// Takes the next piece, `buffer[from,to)`. The array is not valid afterwards.
        void receive(byte[] buffer, int from, int to, Trace trace);

        /// The input has ended.
        default void end(Trace trace) {}
    }

    private static final int MARGIN = 3;

    private CutEverywhere() {}

    /// Replays `input` and gives the trace that all replays agreed on.
    public static List<String> replay(byte[] input, Supplier<? extends Receiver> receivers) {
        List<String> whole = run(receivers.get(), input, input.length);
        for (int cut = 1; cut < input.length; cut++) {
            List<String> events = run(receivers.get(), input, cut, input.length);
            int at = cut;
            Assertions.assertEquals(
                    String.join("\n", whole), String.join("\n", events), () -> "cut at " + at);
        }
        int[] every = new int[input.length];
        Arrays.setAll(every, i -> i + 1);
        List<String> events = run(receivers.get(), input, every);
        Assertions.assertEquals(
                String.join("\n", whole), String.join("\n", events), "byte by byte");
        return whole;
    }

    /// Replays `input` in pieces that end at the given offsets.
    public static List<String> run(Receiver receiver, byte[] input, int... ends) {
        Trace trace = new Trace();
        int from = 0;
        for (int end : ends) {
            // Each piece lies elsewhere, amid bytes that must not be looked at.
            int margin = MARGIN + end % MARGIN;
            byte[] buffer = new byte[margin + (end - from) + MARGIN];
            Arrays.fill(buffer, (byte) 0xee);
            System.arraycopy(input, from, buffer, margin, end - from);
            receiver.receive(buffer, margin, margin + end - from, trace);
            Arrays.fill(buffer, (byte) 0xdd);
            from = end;
        }
        receiver.end(trace);
        return trace.events();
    }
}
