package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class StartCacheTest {
    @Test
    void base_isAlignedAndOutOfTheWay_andDiffersFromFileToFile() {
        SecureRandom random = new SecureRandom();
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            long base = StartCache.base(random);
            assertEquals(0, base % (16 * 1024 * 1024));
            assertTrue(base >= 1L << 36 && base < 1L << 46, Long.toHexString(base));
            seen.add(base);
        }
        assertTrue(seen.size() > 990, seen.size() + " of 1000");
    }
}
