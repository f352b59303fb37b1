package io.margay.protocol.form;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.margay.testkit.CutEverywhere;
import java.util.Arrays;
import java.util.List;

/// Fuzz target for multipart bodies. In a normal build the inputs beside this class are replayed;
/// with `JAZZER_FUZZ=1` the fuzzer looks for new ones.
class FormFuzzTest {
    @FuzzTest
    void multipart(byte[] input) {
        List<String> whole = CutEverywhere.run(new MultipartReceiver("b"), input, input.length);
        int half = input.length / 2;
        assertEquals(
                whole, CutEverywhere.run(new MultipartReceiver("b"), input, half, input.length));
        int[] bytes = new int[input.length];
        Arrays.setAll(bytes, i -> i + 1);
        assertEquals(whole, CutEverywhere.run(new MultipartReceiver("b"), input, bytes));
        long parts = whole.stream().filter(e -> e.startsWith("part ")).count();
        assertTrue(parts <= MultipartLimits.defaults().partsMax());
    }
}
