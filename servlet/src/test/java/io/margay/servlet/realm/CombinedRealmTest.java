package io.margay.servlet.realm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.RealmAwayException;
import io.margay.servlet.security.UsersFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.naming.NamingException;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/// Users of a file, and of a database that comes and goes.
class CombinedRealmTest {
    private static final DigestAlgorithm MD5 = DigestAlgorithm.MD5;

    private final AtomicBoolean away = new AtomicBoolean(true);
    private final Realm realm =
            new LockOutRealm(
                    new CombinedRealm(List.of(database(), file())),
                    new FailedNames(new LockOutLimits(3, Duration.ofMinutes(5), 10)),
                    System::nanoTime);

    private static Realm file() {
        return UsersFile.read(
                "users.xml",
                "<tomcat-users><user username='ada' password='right'/></tomcat-users>"
                        .getBytes(StandardCharsets.UTF_8));
    }

    private Realm database() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:");
        return new DatabaseRealm(
                "test",
                () -> {
                    if (away.get()) {
                        throw new NamingException("away");
                    }
                    return source;
                },
                "select 'hidden' from dual where 'bob' = ?",
                null,
                new CredentialHandler.AsInFile());
    }

    @Test
    void user_whoseRealmIsAway_isNotLockedOut() {
        for (int i = 0; i < 5; i++) {
            assertThrows(RealmAwayException.class, () -> realm.authenticate("bob", "hidden"));
            assertThrows(RealmAwayException.class, () -> realm.secret("bob", "r", MD5));
            assertNull(realm.authenticateOrNobody("bob", "hidden"));
        }
        away.set(false);
        assertEquals("bob", realm.authenticate("bob", "hidden").name());
    }

    @Test
    void user_ofARealmThatAnswers_isLetIn_andCannotBeGuessedMeanwhile() {
        assertNotNull(realm.authenticate("ada", "right"));
        assertNotNull(realm.secret("ada", "r", MD5));
        for (int i = 0; i < 3; i++) {
            assertNull(realm.authenticate("ada", "guess"));
        }
        assertNull(realm.authenticate("ada", "right"), "locked out");
    }
}
