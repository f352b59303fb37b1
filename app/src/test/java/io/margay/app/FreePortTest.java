package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.FreePort;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Ports for processes that are told one.
final class FreePortTest {
    private static final int COUNT = 50;

    /// What Linux gives to who asks for any port begins there.
    private static final int SYSTEMS_FIRST = 32_768;

    @Test
    void ports_areDifferent_andNoneThatTheSystemGivesByItself() throws IOException {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < COUNT; i++) {
            ports.add(FreePort.next());
        }
        assertEquals(COUNT, ports.size());
        assertTrue(ports.stream().allMatch(port -> port < SYSTEMS_FIRST), ports.toString());
    }
}
