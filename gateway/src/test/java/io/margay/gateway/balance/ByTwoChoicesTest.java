package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ByTwoChoicesTest {
    private static Rig rig(BalanceDialect dialect) {
        return new Rig(dialect, BalanceMethod.TWO_CHOICES);
    }

    @ParameterizedTest
    @EnumSource
    void ofTwo_theOneWithFewerRequestsInFlight(BalanceDialect dialect) {
        Rig rig = rig(dialect).with("a").with("b");
        rig.peerNamed("a").begin();
        assertEquals("b", rig.begun(Selection.FIRST));
        rig.peerNamed("b").begin();
        assertEquals("a", rig.begun(Selection.FIRST));
    }

    @ParameterizedTest
    @EnumSource
    void requestsInFlight_areSharedByWeight(BalanceDialect dialect) {
        Rig rig = rig(dialect).with("a", s -> s.withWeight(3)).with("b");
        for (int i = 0; i < 8; i++) {
            rig.begun(Selection.FIRST);
        }
        assertEquals(6, rig.peerNamed("a").busy());
        assertEquals(2, rig.peerNamed("b").busy());
    }

    @Test
    void ofMany_theBusiest_isNeverChosen_andAllOthersAre() {
        Rig rig = rig(BalanceDialect.MARGAY);
        for (String name : new String[] {"a", "b", "c", "d", "e", "f"}) {
            rig.with(name);
        }
        rig.peerNamed("d").begin();
        Set<String> chosen = new TreeSet<>();
        for (int i = 0; i < 300; i++) {
            String name = rig.request();
            assertNotEquals("d", name);
            chosen.add(name);
        }
        assertEquals(Set.of("a", "b", "c", "e", "f"), chosen);
    }

    @Test
    void peersThatAreFarther_areNotDrawn() {
        Rig rig = rig(BalanceDialect.MARGAY).with("a", s -> s.withDistance(1)).with("b").with("c");
        assertTrue(!rig.requests(100).contains("a"));
    }

    @Test
    void itsWord_isNeitherModJksNorModProxys() {
        assertEquals(Optional.of(BalanceMethod.TWO_CHOICES), BalanceMethod.of("two-choices"));
        assertEquals(Optional.of(BalanceMethod.TRAFFIC), BalanceMethod.ofModJk('t'));
        assertEquals(Optional.empty(), BalanceMethod.ofModProxy("two-choices"));
        assertEquals(Optional.empty(), BalanceMethod.ofModProxy(""));
    }
}
