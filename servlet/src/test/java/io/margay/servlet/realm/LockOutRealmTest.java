package io.margay.servlet.realm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.UsersFile;
import io.margay.testkit.LoggedLines;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockOutRealmTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Realm users =
            UsersFile.read(
                    "users.xml",
                    "<tomcat-users><user username='ada' password='right'/></tomcat-users>"
                            .getBytes(StandardCharsets.UTF_8));

    private LockOutRealm realm(int namesMax) {
        return new LockOutRealm(
                users,
                new FailedNames(new LockOutLimits(3, Duration.ofSeconds(60), namesMax)),
                nanos::get);
    }

    private void later(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private static void fail(Realm realm, String name, int times) {
        for (int i = 0; i < times; i++) {
            assertNull(realm.authenticate(name, "wrong"));
        }
    }

    @Test
    void name_afterSoManyFailures_isRefusedForAWhile() {
        LockOutRealm realm = realm(10);
        fail(realm, "ada", 2);
        assertNotNull(realm.authenticate("ada", "right"), "one more was allowed");
        fail(realm, "ada", 2);
        assertNotNull(realm.authenticate("ada", "right"), "success begins anew");
        fail(realm, "ada", 3);
        assertNull(realm.authenticate("ada", "right"));
        later(61);
        assertNotNull(realm.authenticate("ada", "right"));
    }

    @Test
    void attempt_whileRefused_prolongsIt() {
        LockOutRealm realm = realm(10);
        fail(realm, "ada", 3);
        later(50);
        assertNull(realm.authenticate("ada", "right"));
        later(50);
        assertNull(realm.authenticate("ada", "right"));
        later(61);
        assertNotNull(realm.authenticate("ada", "right"));
    }

    @Test
    void failures_longAgo_doNotAddUpToANewLock() {
        LockOutRealm realm = realm(10);
        fail(realm, "ada", 3);
        later(61);
        fail(realm, "ada", 1);
        assertNotNull(realm.authenticate("ada", "right"));
    }

    @Test
    void names_areBounded_andTheOneThatFailedLeastIsForgotten() {
        LockOutRealm realm = realm(2);
        fail(realm, "ada", 2);
        fail(realm, "x", 1);
        fail(realm, "y", 1);
        fail(realm, "ada", 1);
        assertNull(realm.authenticate("ada", "right"), "neither x nor y washed it out");
    }

    @Test
    void lockedName_isNotWashedOutByOthers() {
        LockOutRealm realm = realm(10);
        fail(realm, "ada", 3);
        for (int i = 0; i < 1_000; i++) {
            fail(realm, "u" + i, 2);
        }
        assertNull(realm.authenticate("ada", "right"));
    }

    @Test
    void lockedName_whenAllAreLocked_isForgottenWithAWarning() {
        try (LoggedLines log = LoggedLines.of(LockOutRealm.class.getName())) {
            LockOutRealm realm = realm(2);
            fail(realm, "ada", 3);
            fail(realm, "x", 3);
            later(11);
            fail(realm, "y", 1);
            assertNotNull(realm.authenticate("ada", "right"));
            assertEquals(1, log.count("WARNING ada is no longer locked out"), log.toString());
        }
    }

    @Test
    void lockedName_whoseTimeIsOver_isForgottenFirst() {
        try (LoggedLines log = LoggedLines.of(LockOutRealm.class.getName())) {
            LockOutRealm realm = realm(2);
            fail(realm, "old", 3);
            later(61);
            fail(realm, "ada", 2);
            fail(realm, "x", 1);
            fail(realm, "ada", 1);
            assertNull(realm.authenticate("ada", "right"));
            assertEquals(0, log.count("no longer locked out"), log.toString());
        }
    }

    /// Each of these is one of `ada` or `user7` for a database or directory in wide use.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ADA",
                " ada",
                "ada ",
                "\uff41da",
                "\u00e1da",
                "a\u0301da",
                "a\u00adda",
                "a\u200bda",
                "ad\u0001a",
                "\u24d0da",
                "\u0363da",
                "a\u0111a",
                "\u00aada",
                "USER7",
                "u\u017fer7",
                "user\u0667",
                "user\u2786",
                "u\u00dfer7",
                "user\ud835\udfd5"
            })
    void spellings_ofOneName_countTogether_cve2026_43513(String spelling) {
        String name = spelling.toLowerCase(Locale.ROOT).contains("er") ? "user7" : "ada";

        LockOutRealm realm =
                new LockOutRealm(
                        UsersFile.read(
                                "users.xml",
                                ("<tomcat-users><user username='"
                                                + name
                                                + "' password='right'/>"
                                                + "</tomcat-users>")
                                        .getBytes(StandardCharsets.UTF_8)),
                        new FailedNames(new LockOutLimits(3, Duration.ofSeconds(60), 10)),
                        nanos::get);
        fail(realm, name, 2);
        fail(realm, spelling, 1);
        assertNull(realm.authenticate(name, "right"));
    }

    /// Whoever has an account whose name is similar to another's does not end the other's count.
    @Test
    void success_ofASimilarName_endsNoCountOfAnother() {
        Realm similar =
                UsersFile.read(
                        "users.xml",
                        ("<tomcat-users><user username='ada' password='right'/>"
                                        + "<user username='Ada' password='mine'/></tomcat-users>")
                                .getBytes(StandardCharsets.UTF_8));
        LockOutRealm realm =
                new LockOutRealm(
                        similar,
                        new FailedNames(new LockOutLimits(3, Duration.ofSeconds(60), 10)),
                        nanos::get);
        fail(realm, "ada", 2);
        assertNotNull(realm.authenticate("Ada", "mine"));
        fail(realm, "ada", 1);
        assertNull(realm.authenticate("ada", "right"));
    }

    @Test
    void failures_ofSeveralSpellings_areForgottenInTime() {
        LockOutRealm realm = realm(10);
        fail(realm, "ada", 1);
        fail(realm, "Ada", 1);
        assertNotNull(realm.authenticate("ada", "right"));
        later(61);
        fail(realm, "ada", 2);
        assertNotNull(realm.authenticate("ada", "right"), "two, and not four");
    }

    @Test
    void digest_countsToo() {
        LockOutRealm realm = realm(10);
        assertNotNull(realm.secret("ada", "r", DigestAlgorithm.MD5));
        realm.answered("ada", false);
        realm.answered("ada", false);
        realm.answered("ada", true);
        fail(realm, "ada", 2);
        realm.answered("ada", false);
        assertNull(realm.secret("ada", "r", DigestAlgorithm.MD5));
        assertNull(realm.authenticate("ada", "right"));
    }

    @Test
    void limits_ofNoFailures_lockNobodyOut() {
        LockOutLimits never = new LockOutLimits(0, Duration.ofSeconds(1), 1);
        assertSame(users, LockOutRealm.around(users, never));
        assertEquals(new LockOutLimits(5, Duration.ofSeconds(300), 1000), LockOutLimits.defaults());
    }
}
