package io.margay.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

final class ExchangeNumbersTest {
    private static final int THREADS = 8;
    private static final int EACH = 5_000;

    @Test
    void numbers_areGivenOnce_whateverTheProcessors() throws InterruptedException {
        for (int processors : List.of(1, 2, 3, 64, 500)) {
            ExchangeNumbers numbers = new ExchangeNumbers(processors);
            Set<Long> given = ConcurrentHashMap.newKeySet();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    for (int k = 0; k < EACH; k++) {
                                        given.add(numbers.next());
                                    }
                                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(THREADS * EACH, given.size(), processors + " processors");
            assertTrue(given.stream().allMatch(it -> it > 0));
        }
    }

    @Test
    void oneProcessor_countsFromOne() {
        ExchangeNumbers numbers = new ExchangeNumbers(1);
        assertEquals(1, numbers.next());
        assertEquals(2, numbers.next());
    }
}
