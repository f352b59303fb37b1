package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.OutlierConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class OutliersTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private static Rig rig(BalanceDialect dialect, int members, OutlierConfig config) {
        Rig rig = new Rig(dialect, BalanceMethod.REQUESTS).config(c -> c.withOutliers(config));
        for (int i = 0; i < members; i++) {
            String name = Character.toString('a' + i);
            rig.with(name);
        }
        return rig;
    }

    private static Rig rig(int members) {
        return rig(BalanceDialect.MARGAY, members, OutlierConfig.defaults());
    }

    /// Answers of a member.
    private static void answers(Rig rig, String name, int count, int failed, long millis) {
        Peer peer = rig.peerNamed(name);
        for (int i = 0; i < count; i++) {
            // times differ a little, as they do
            long took = millis * MILLI + i % 5 * (millis * MILLI / 10);
            peer.begin();
            rig.upstream().answers().responded(peer, i < failed ? 500 : 200, took, -1);
            peer.end(Outcome.OK, 0, 0);
        }
    }

    /// Ends a round in which members have answered.
    private static void judged(Rig rig) {
        rig.seconds(10);
        Peer any = rig.upstream().peers().getLast();
        any.begin();
        rig.upstream().answers().responded(any, 200, 10 * MILLI, -1);
        any.end(Outcome.OK, 0, 0);
    }

    private static Ejection.Cause out(Rig rig, String name) {
        return rig.peerNamed(name).ejection().cause();
    }

    private static boolean gets(Rig rig, String name) {
        return List.of(rig.requests(20).split(" ")).contains(name);
    }

    @ParameterizedTest
    @EnumSource
    void memberThatFailsMore_isOut_andComesBackAfterATimeThatGrows(BalanceDialect dialect) {
        Rig rig = rig(dialect, 3, OutlierConfig.defaults());
        for (long seconds : new long[] {30, 60, 120}) {
            answers(rig, "a", 100, 60, 10);
            answers(rig, "b", 100, 1, 10);
            answers(rig, "c", 100, 0, 10);
            judged(rig);
            assertEquals(Ejection.Cause.ERRORS, out(rig, "a"));
            assertEquals(seconds, rig.peerNamed("a").ejection().secondsLeft());
            assertFalse(gets(rig, "a"));
            assertTrue(rig.begun(Rig.session("1.a")).matches("[bc].*"), "nor its sessions");
            rig.seconds(seconds - 1);
            assertFalse(gets(rig, "a"));
            rig.seconds(1);
            assertTrue(gets(rig, "a"));
            assertNull(out(rig, "a"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void memberThatIsSlow_isOut_andKeepsItsSessions(BalanceDialect dialect) {
        Rig rig = rig(dialect, 3, OutlierConfig.defaults());
        answers(rig, "a", 50, 0, 10);
        answers(rig, "b", 50, 0, 45);
        answers(rig, "c", 50, 0, 12);
        judged(rig);
        assertEquals(Ejection.Cause.SLOW, out(rig, "b"));
        assertFalse(gets(rig, "b"));
        assertEquals("b*", rig.begun(Rig.session("1.b")));
    }

    @Test
    void whatAllHave_isNobodysFault() {
        Rig rig = rig(3);
        for (String name : List.of("a", "b", "c")) {
            answers(rig, name, 100, 90, 900);
        }
        judged(rig);
        for (String name : List.of("a", "b", "c")) {
            assertNull(out(rig, name));
        }
    }

    @Test
    void chance_isNobodysFault() {
        Rig rig = rig(3);
        answers(rig, "a", 20, 4, 10);
        answers(rig, "b", 20, 0, 10);
        answers(rig, "c", 20, 0, 10);
        judged(rig);
        assertNull(out(rig, "a"), "4 of 20 may happen");
    }

    @Test
    void fewAnswers_areKept_untilTheyAreEnough() {
        Rig rig = rig(2);
        for (int i = 0; i < 3; i++) {
            assertNull(out(rig, "a"));
            answers(rig, "a", 8, 8, 10);
            answers(rig, "b", 8, 0, 10);
            judged(rig);
        }
        assertEquals(Ejection.Cause.ERRORS, out(rig, "a"));
    }

    @Test
    void noMoreAreOut_thanMayBe_theWorstFirst() {
        Rig rig = rig(7); // of which 30 % are two
        int failed = 0;
        for (String name : List.of("a", "b", "c")) {
            failed += 30;
            answers(rig, name, 100, failed, 10);
        }
        for (String name : List.of("d", "e", "f", "g")) {
            answers(rig, name, 100, 0, 10);
        }
        judged(rig);
        assertNull(out(rig, "a"));
        assertEquals(Ejection.Cause.ERRORS, out(rig, "b"));
        assertEquals(Ejection.Cause.ERRORS, out(rig, "c"));
    }

    @Test
    void lastMember_isNeverOut() {
        Rig rig = rig(2);
        rig.peerNamed("b").activation(Activation.STOPPED);
        answers(rig, "a", 100, 100, 10);
        answers(rig, "b", 100, 0, 10);
        judged(rig);
        assertNull(out(rig, "a"));
        assertEquals("a", rig.request());
    }

    /// When those that were left fail, one that is out is better than none.
    @ParameterizedTest
    @EnumSource
    void memberThatIsOut_isAskedBeforeThoseInError(BalanceDialect dialect) {
        Rig rig = rig(dialect, 2, OutlierConfig.defaults());
        answers(rig, "a", 100, 60, 10);
        answers(rig, "b", 100, 0, 10);
        judged(rig);
        assertEquals("b", rig.request());
        rig.fail("b", Outcome.CONNECT_FAILED);
        assertEquals(PeerState.ERROR, rig.peerNamed("b").state());
        assertEquals("a", rig.request().substring(0, 1));
        assertEquals(Ejection.Cause.ERRORS, out(rig, "a"), "it is not in for that");
        assertEquals(
                "none",
                rig.request(Rig.tried(rig.peerNamed("a"), rig.peerNamed("b")), Outcome.OK, 0));
    }

    @Test
    void requestsThatAreWrong_areNoFailures() {
        Rig rig = rig(2);
        Peer peer = rig.peerNamed("a");
        for (int i = 0; i < 100; i++) {
            peer.begin();
            rig.upstream().answers().responded(peer, i % 2 == 0 ? 501 : 404, 10 * MILLI, -1);
            peer.end(Outcome.OK, 0, 0);
        }
        answers(rig, "b", 100, 0, 10);
        judged(rig);
        assertNull(out(rig, "a"));
    }

    @Test
    void timesOut_neverExceedTheMost() {
        OutlierConfig config =
                new OutlierConfig(
                        20,
                        0,
                        20,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(50),
                        50);
        Rig rig = rig(BalanceDialect.MARGAY, 2, config);
        Map<Integer, Long> times = Map.of(0, 30L, 1, 50L, 2, 50L);
        for (int i = 0; i < times.size(); i++) {
            answers(rig, "a", 100, 60, 10);
            answers(rig, "b", 100, 0, 1);
            judged(rig);
            assertEquals(times.get(i), rig.peerNamed("a").ejection().secondsLeft());
            rig.seconds(50);
            rig.request();
        }
    }
}
