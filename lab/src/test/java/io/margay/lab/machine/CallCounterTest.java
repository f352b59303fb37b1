package io.margay.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What `perf stat -x,` writes.
final class CallCounterTest {
    @Test
    void counts_areReadByName_theSumFirst_thenTheMostFrequent() {
        Map<String, Double> calls =
                CallCounter.read(
                        List.of(
                                "# started on Sat Nov 21 03:55:11 2026",
                                "",
                                "120,,raw_syscalls:sys_enter,315013,100.00,,",
                                "16,,syscalls:sys_enter_futex,315013,100.00,,",
                                "0,,syscalls:sys_enter_poll,315013,100.00,,",
                                "104,,syscalls:sys_enter_read,315013,100.00,,"));
        assertEquals(List.of("all", "read", "futex"), List.copyOf(calls.keySet()));
        assertEquals(120, calls.get(CallCounter.ALL));
        assertEquals(16, calls.get("futex"));
    }

    @Test
    void countsWithoutTheirSum_areNone() {
        assertEquals(
                Map.of(),
                CallCounter.read(
                        List.of(
                                "<not counted>,,raw_syscalls:sys_enter,0,0.00,,",
                                "16,,syscalls:sys_enter_futex,315013,100.00,,")));
    }
}
