package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ByHashTest {
    private static final int KEYS = 4_000;

    private static Rig rig(BalanceDialect dialect) {
        Rig rig = new Rig(dialect, BalanceMethod.HASH);
        for (String name : new String[] {"a", "b", "c", "d"}) {
            rig.with(name, s -> s.withWeight(name.equals("d") ? 3 : 1));
        }
        return rig;
    }

    private static String of(Rig rig, long key) {
        return rig.request(Rig.keyed(key), Outcome.OK, 0);
    }

    private static Map<Long, String> all(Rig rig) {
        Map<Long, String> chosen = new HashMap<>();
        for (long key = 1; key <= KEYS; key++) {
            chosen.put(key, of(rig, key));
        }
        return chosen;
    }

    @ParameterizedTest
    @EnumSource
    void key_leadsToTheSamePeer_andPeersHaveKeysByWeight(BalanceDialect dialect) {
        Rig rig = rig(dialect);
        Map<Long, String> chosen = all(rig);
        assertEquals(chosen, all(rig(dialect)), "whichever gateway is asked");
        long ofD = chosen.values().stream().filter("d"::equals).count();
        assertTrue(ofD > KEYS * 0.46 && ofD < KEYS * 0.54, () -> ofD + " of " + KEYS);
    }

    @Test
    void peerThatLeaves_changesItsOwnKeysOnly() {
        Rig rig = rig(BalanceDialect.MARGAY);
        Map<Long, String> before = all(rig);
        rig.peerNamed("b").activation(Activation.STOPPED);
        Map<Long, String> after = all(rig);
        before.forEach((key, name) -> {
            if (name.equals("b")) {
                assertNotEquals("b", after.get(key));
            } else {
                assertEquals(name, after.get(key));
            }
        });
        rig.peerNamed("b").activation(Activation.ACTIVE);
        assertEquals(before, all(rig));
    }

    /// One key that everybody asks for, as attackers may, fills no peer.
    @Test
    void oneKey_takesAQuarterMoreThanItsShare() {
        Rig rig = new Rig(BalanceDialect.MARGAY, BalanceMethod.HASH);
        for (String name : new String[] {"a", "b", "c", "d"}) {
            rig.with(name);
        }
        for (int i = 0; i < 400; i++) {
            assertNotEquals("none", rig.begun(Rig.keyed(5)));
        }
        for (Peer peer : rig.upstream().peers()) {
            assertTrue(peer.busy() <= 126, () -> peer.config().name() + " " + peer.busy());
        }
    }

    @Test
    void requestWithoutAKey_goesToTheLessBusyOfTwo() {
        Rig rig = new Rig(BalanceDialect.MARGAY, BalanceMethod.HASH).with("a").with("b");
        rig.peerNamed("a").begin();
        assertEquals("b", rig.begun(Rig.keyed(0)));
    }
}
