package io.margay.protocol.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Vectors;
import io.margay.testkit.Vectors.Vector;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Vectors with random damage, in random pieces: whatever a decoder makes of them must not depend
/// on the pieces, and must never be an exception.
class Http1MutationsTest {
    private static final int ROUNDS = 3000;
    private static final byte[] TROUBLE =
            "\r\n\t \0:;,=\"0aF\u007f\u0080\u00ff".getBytes(StandardCharsets.ISO_8859_1);

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private static List<Vector> load(String... files) {
        return Stream.of(files)
                .flatMap(file -> Vectors.load("/vectors/http1/" + file + ".txt").stream())
                .toList();
    }

    private byte[] damage(byte[] input) {
        byte[] damaged = input.clone();
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(damaged.length);
            byte octet = TROUBLE[random.nextInt(TROUBLE.length)];
            switch (random.nextInt(3)) {
                case 0 -> damaged[at] = octet;
                case 1 -> {
                    byte[] longer = new byte[damaged.length + 1];
                    System.arraycopy(damaged, 0, longer, 0, at);
                    longer[at] = octet;
                    System.arraycopy(damaged, at, longer, at + 1, damaged.length - at);
                    damaged = longer;
                }
                default -> {
                    if (damaged.length > 1) {
                        System.arraycopy(damaged, at + 1, damaged, at, damaged.length - at - 1);
                        damaged = Arrays.copyOf(damaged, damaged.length - 1);
                    }
                }
            }
        }
        return damaged;
    }

    private int[] pieces(int length) {
        int[] ends = new int[1 + random.nextInt(6)];
        for (int i = 0; i < ends.length - 1; i++) {
            ends[i] = random.nextInt(length + 1);
        }
        ends[ends.length - 1] = length;
        Arrays.sort(ends);
        return ends;
    }

    private void check(List<Vector> vectors, Supplier<CutEverywhere.Receiver> receivers) {
        System.out.println("Http1MutationsTest seed " + seed);
        int errors = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] input = damage(vectors.get(random.nextInt(vectors.size())).input());
            List<String> whole = CutEverywhere.run(receivers.get(), input, input.length);
            List<String> cut = CutEverywhere.run(receivers.get(), input, pieces(input.length));
            assertEquals(whole, cut, () -> "seed " + seed);
            errors += whole.getLast().startsWith("error") ? 1 : 0;
        }
        assertTrue(errors > ROUNDS / 10 && errors < ROUNDS, "errors " + errors + " seed " + seed);
    }

    @Test
    void requests_damaged_tellTheSameInAnyPieces() {
        check(load("request-good", "body-good", "body-bad"), () -> new RequestReceiver());
    }

    @Test
    void responses_damaged_tellTheSameInAnyPieces() {
        check(load("response-good", "response-bad"), () -> new ResponseReceiver("GET"));
    }
}
