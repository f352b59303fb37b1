package io.margay.app.slow;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SamplesTest {
    /// Between two looks its end may not have been told, as long as threads wait for a processor.
    @Test
    void request_isForgotten_whenItWasMissedForAWhile() {
        Samples samples = new Samples("a");
        assertFalse(IntStream.range(0, 20).anyMatch(_ -> samples.isGone(false)));
        assertFalse(samples.isGone(true));
        assertFalse(samples.isGone(false));
        assertTrue(IntStream.range(0, 20).anyMatch(_ -> samples.isGone(false)));
    }
}
