package io.margay.servlet.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.session.engine.ChangeMark;
import org.junit.jupiter.api.Test;

final class SessionChangesTest {
    @Test
    void moreRequestsThanAreToldApart_doNotForgetTheFirst() throws InterruptedException {
        SessionChanges changes = new SessionChanges(new byte[16], false);
        changes.begins(1000);
        for (int i = 0; i < 100; i++) {
            Thread.ofVirtual().start(() -> changes.begins(1000)).join();
        }
        changes.foreign("cart", new ChangeMark(1, "other", 1, 1000));
        assertTrue(changes.isLate("cart"));
        assertFalse(changes.isLate("name"));
        changes.ends(true);
        assertFalse(changes.isLate("cart"));
    }
}
