package io.margay.servlet.realm;

import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.User;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Users in tables of a database. Thread-safe as its data source.
public final class DatabaseRealm implements Realm {
    /// Where connections come from; asked with each login, so that a database may come later.
    @FunctionalInterface
    public interface Source {
        DataSource get() throws NamingException;
    }

    private final Source source;
    private final String credentialQuery;
    private final @Nullable String roleQuery;
    private final CredentialHandler credentials;
    private final KnownProofs proofs = new KnownProofs();
    private final RealmFailures failures;

    /// The latest credential that was read: as costly to compare with as those of others.
    private volatile String decoy;

    /// @param name for messages
    /// @param credentialQuery with one parameter, the user's name; the first column of the first
    ///   row is what is stored
    /// @param roleQuery with one parameter, the user's name; the first column of each row is a
    ///   role; null = users have no roles
    public DatabaseRealm(
            String name,
            Source source,
            String credentialQuery,
            @Nullable String roleQuery,
            CredentialHandler credentials) {
        this.source = source;
        this.credentialQuery = credentialQuery;
        this.roleQuery = roleQuery;
        this.credentials = credentials;
        failures = new RealmFailures(name);
        decoy = credentials.decoy();
    }

    @Override
    public @Nullable User authenticate(String name, String password) {
        try (Connection connection = source.get().getConnection()) {
            String stored = credential(connection, name);
            if (stored == null) {
                boolean _ = credentials.matches(password, decoy);
                return null;
            }
            decoy = stored;
            return proofs.matches(credentials, password, stored) ? user(connection, name) : null;
        } catch (SQLException | NamingException e) {
            throw failures.away(e);
        }
    }

    @Override
    public @Nullable Secret secret(String name, String realmName, DigestAlgorithm algorithm) {
        try (Connection connection = source.get().getConnection()) {
            String stored = credential(connection, name);
            String clear = stored == null ? null : credentials.clear(stored);
            return clear == null
                    ? null
                    : new Secret(user(connection, name), algorithm.hash(name, realmName, clear));
        } catch (SQLException | NamingException e) {
            throw failures.away(e);
        }
    }

    @Override
    public @Nullable User user(String name) {
        return known(name);
    }

    /// The user who is named as the certificate's subject.
    @Override
    public @Nullable User authenticate(X509Certificate certificate) {
        return known(certificate.getSubjectX500Principal().toString());
    }

    private @Nullable User known(String name) {
        try (Connection connection = source.get().getConnection()) {
            return exists(connection, name) ? user(connection, name) : null;
        } catch (SQLException | NamingException e) {
            failures.tell(e);
            return null;
        }
    }

    private @Nullable String credential(Connection connection, String name) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(credentialQuery)) {
            query.setString(1, name);
            try (ResultSet rows = query.executeQuery()) {
                String stored = rows.next() ? rows.getString(1) : null;
                failures.answered();
                return stored == null ? null : stored.strip();
            }
        }
    }

    private boolean exists(Connection connection, String name) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(credentialQuery)) {
            query.setString(1, name);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next();
            }
        }
    }

    private User user(Connection connection, String name) throws SQLException {
        Set<String> roles = new HashSet<>();
        if (roleQuery != null) {
            try (PreparedStatement query = connection.prepareStatement(roleQuery)) {
                query.setString(1, name);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        String role = rows.getString(1);
                        if (role != null) {
                            roles.add(role.strip());
                        }
                    }
                }
            }
        }
        return new User(name, roles);
    }
}
