package io.margay.server.multiplex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.exchange.MemoryBudget;
import org.junit.jupiter.api.Test;

/// What a connection with HTTP/2 counts, and that it gives everything back.
class StreamMemoryTest {
    private final MemoryBudget budget = new MemoryBudget(200_000);
    private final StreamMemory held = new StreamMemory(budget);

    @Test
    void firstRequestAndSmallContent_areNotCounted() {
        StreamInflow content = new StreamInflow();
        assertTrue(held.requests(1));
        assertTrue(held.append(content, new byte[2_000], 0, 2_000));
        assertEquals(0, budget.held());
    }

    @Test
    void contentBeyondTheBudget_isNotKept_andWhatIsReadIsGivenBack() {
        StreamInflow first = new StreamInflow();
        StreamInflow second = new StreamInflow();
        assertTrue(held.append(first, new byte[150_000], 0, 150_000));
        assertFalse(held.append(second, new byte[100_000], 0, 100_000));
        assertTrue(second.isEmpty());
        byte[] target = new byte[150_000];
        assertEquals(150_000, held.take(first, target, 0, target.length));
        assertEquals(0, budget.held());
        assertTrue(held.append(second, new byte[100_000], 0, 100_000));
        assertEquals(100_000, held.discard(second));
        assertEquals(0, budget.held());
    }

    @Test
    void requests_areRefusedBeyondTheBudget_andGivenBackWithTheLast() {
        int most = 0;
        while (held.requests(most + 1)) {
            most++;
        }
        assertTrue(most >= 20 && most <= 25, "requests: " + most);
        for (int count = most; count >= 0; count--) {
            boolean _ = held.requests(count);
        }
        assertEquals(0, budget.held());
    }

    @Test
    void copiesOfResponses_areCounted_andAreTooMuchBeyondTheBudget() {
        StreamOutflow first = new StreamOutflow(() -> 0, held);
        StreamOutflow second = new StreamOutflow(() -> 0, held);
        first.runAsLeader(new byte[150_000], 0, 150_000, StreamOutflow.Loan.COPIED);
        first.settle();
        assertFalse(first.isTooMuch());
        assertTrue(budget.held() >= 150_000);
        second.runAsLeader(new byte[100_000], 0, 100_000, StreamOutflow.Loan.COPIED);
        second.settle();
        assertTrue(second.isTooMuch());
        second.drop();
        first.drop();
        assertEquals(0, budget.held());
    }

    @Test
    void responsesThatNobodyChanges_areNotCounted() {
        StreamOutflow lent = new StreamOutflow(() -> 0, held);
        lent.runAsLeader(new byte[150_000], 0, 150_000, StreamOutflow.Loan.FOR_GOOD);
        lent.settle();
        assertFalse(lent.isTooMuch());
        assertEquals(0, budget.held());
    }

    @Test
    void head_isCountedUntilItIsWhole() {
        assertTrue(held.head(32_768));
        assertTrue(budget.held() >= 32_768);
        assertFalse(held.head(400_000));
        assertTrue(held.head(0));
        assertEquals(0, budget.held());
    }
}
