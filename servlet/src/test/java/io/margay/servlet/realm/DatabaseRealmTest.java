package io.margay.servlet.realm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.RealmAwayException;
import io.margay.servlet.security.User;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import javax.naming.NamingException;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatabaseRealmTest {
    private static final String CREDENTIAL = "SELECT pass FROM users WHERE name = ?";
    private static final String ROLES = "SELECT role FROM roles WHERE name = ?";

    private final JdbcDataSource database = new JdbcDataSource();

    @BeforeEach
    void tables() throws SQLException {
        database.setURL("jdbc:h2:mem:realm;DB_CLOSE_DELAY=-1");
        execute(
                "create table users (name varchar(50), pass varchar(200))",
                "create table roles (name varchar(50), role varchar(50))",
                "insert into users values ('ada', 'secret'), ('none', null), ('it''s', 'x')",
                "insert into users values ('hashed',"
                        + " '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b')",
                "insert into roles values ('ada', 'in '), ('ada', 'out'), ('hashed', 'in')");
    }

    @AfterEach
    void drop() throws SQLException {
        execute("drop all objects");
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private DatabaseRealm realm(CredentialHandler handler) {
        return new DatabaseRealm("test", () -> database, CREDENTIAL, ROLES, handler);
    }

    @Test
    void user_withPassword_hasItsRoles() {
        DatabaseRealm realm = realm(new CredentialHandler.AsInFile());
        assertEquals(new User("ada", Set.of("in", "out")), realm.authenticate("ada", "secret"));
        assertEquals(new User("it's", Set.of()), realm.authenticate("it's", "x"));
        assertNull(realm.authenticate("ada", "Secret"));
        assertNull(realm.authenticate("nobody", "secret"));
        assertNull(realm.authenticate("none", ""));
        assertNull(realm.authenticate("' or '1'='1", "secret"));
    }

    @Test
    void password_changed_isInForceAtOnce() throws SQLException {
        DatabaseRealm realm = realm(new CredentialHandler.AsInFile());
        assertNotNull(realm.authenticate("ada", "secret"));
        execute("update users set pass = 'other' where name = 'ada'");
        assertNull(realm.authenticate("ada", "secret"));
        assertNotNull(realm.authenticate("ada", "other"));
        assertEquals(new User("ada", Set.of("in", "out")), realm.user("ada"));
        assertNull(realm.user("nobody"));
    }

    @Test
    void digest_ofThePassword_isCompared() {
        DatabaseRealm realm =
                realm(new CredentialHandler.Digest("SHA-256", StandardCharsets.UTF_8));
        assertEquals(new User("hashed", Set.of("in")), realm.authenticate("hashed", "secret"));
        assertNull(realm.authenticate("ada", "secret"), "stored in clear");
        assertNull(realm.secret("hashed", "r", DigestAlgorithm.MD5));
    }

    @Test
    void secret_ofAClearPassword_isForDigest() {
        DatabaseRealm realm = realm(new CredentialHandler.AsInFile());
        assertEquals(
                DigestAlgorithm.MD5.hash("ada", "r", "secret"),
                realm.secret("ada", "r", DigestAlgorithm.MD5).hash());
        assertNull(realm.secret("nobody", "r", DigestAlgorithm.MD5));
    }

    @Test
    void database_away_letsNobodyIn() {
        DatabaseRealm realm =
                new DatabaseRealm(
                        "test",
                        () -> {
                            throw new NamingException("away");
                        },
                        CREDENTIAL,
                        null,
                        new CredentialHandler.AsInFile());
        assertThrows(RealmAwayException.class, () -> realm.authenticate("ada", "secret"));
        assertThrows(RealmAwayException.class, () -> realm.secret("ada", "r", DigestAlgorithm.MD5));
        assertNull(realm.authenticateOrNobody("ada", "secret"));
        assertNull(realm.user("ada"));
    }
}
