package io.margay.servlet.realm;

import io.margay.server.directory.DirectoryConnectionLimits;
import io.margay.server.directory.DirectoryConnections;
import io.margay.server.directory.DirectoryConnections.Question;
import io.margay.server.directory.DirectorySearch;
import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.RealmAwayException;
import io.margay.servlet.security.User;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.directory.Attributes;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;

/// Users in a directory (LDAP v3). Thread-safe; waits.
///
/// What a client sends never becomes syntax (CVE-2021-30640), and an empty password, by which a
/// directory would let anybody in (RFC 4513 §5.1.2), is wrong.
@SuppressWarnings(
        "BanJNDI") // Attributes are read, and no object is made of what a directory sends.
public final class DirectoryRealm implements Realm, AutoCloseable {
    /// Roles that have roles as members, one behind the other: more is a loop.
    private static final int NESTED_MAX = 1000;

    private final DirectorySettings settings;
    private final DirectoryConnections connections;
    private final DirectorySearch searches;
    private final RealmFailures failures;
    private final KnownProofs proofs = new KnownProofs();

    /// The latest credential that was read: as costly to compare with as those of others.
    private volatile String decoy;

    /// @param name for messages
    public DirectoryRealm(String name, DirectorySettings settings) {
        this.settings = settings;
        connections =
                new DirectoryConnections(
                        settings.access(), DirectoryConnectionLimits.defaults(), System::nanoTime);
        searches = new DirectorySearch(settings.access().readTimeout());
        failures = new RealmFailures(name);
        decoy = settings.credentials().decoy();
    }

    /// The entry of a user.
    ///
    /// @param roles that the entry itself names
    private record Entry(LdapName name, List<String> roles, @Nullable String credential) {
        /// Without the credential.
        @Override
        public String toString() {
            return "Entry[" + name + ", " + roles + "]";
        }
    }

    @Override
    public @Nullable User authenticate(String name, String password) {
        if (name.isEmpty() || password.isEmpty()) {
            return null;
        }
        return ask(directory -> {
            List<Entry> entries = entries(directory, name);
            for (Entry entry : entries) {
                if (proves(entry, password)) {
                    return Optional.of(user(directory, name, entry));
                }
            }
            if (entries.isEmpty()) {
                takeAsLong(name, password);
            }
            return Optional.empty();
        });
    }

    /// Does for a name that is not known what is done for a wrong password.
    private void takeAsLong(String name, String password) {
        if (settings.passwordAttribute() != null) {
            boolean _ = settings.credentials().matches(password, decoy);
            return;
        }
        List<String> patterns = settings.users().patterns();
        try {
            String dn =
                    patterns.isEmpty()
                            ? DirectoryConnections.nobody(settings.users().base())
                            : DirectoryNames.name(patterns.getLast(), name);
            boolean _ = connections.takes(dn, password);
        } catch (NamingException | IOException _) {
            // There is no such entry.
        }
    }

    /// A directory does not tell passwords.
    @Override
    public @Nullable Secret secret(String name, String realmName, DigestAlgorithm algorithm) {
        return null;
    }

    @Override
    public boolean logsInBy(String method) {
        return !method.equals("DIGEST");
    }

    @Override
    public @Nullable User user(String name) {
        return name.isEmpty() ? null : known(name);
    }

    /// The user who is named as the certificate's subject.
    @Override
    public @Nullable User authenticate(X509Certificate certificate) {
        return known(certificate.getSubjectX500Principal().getName());
    }

    private @Nullable User known(String name) {
        try {
            return ask(directory -> {
                List<Entry> entries = entries(directory, name);
                return entries.isEmpty()
                        ? Optional.empty()
                        : Optional.of(user(directory, name, entries.getFirst()));
            });
        } catch (RealmAwayException _) {
            return null;
        }
    }

    /// @throws RealmAwayException when the directory does not answer
    private @Nullable User ask(Question<Optional<User>> question) {
        try {
            Optional<User> user = connections.ask(question);
            failures.answered();
            return user.orElse(null);
        } catch (NamingException | IOException e) {
            throw failures.away(e);
        }
    }

    // Users

    private List<Entry> entries(InitialLdapContext directory, String name) throws NamingException {
        DirectorySettings.Users users = settings.users();
        List<Entry> found = new ArrayList<>();
        for (String pattern : users.patterns()) {
            LdapName dn = new LdapName(DirectoryNames.name(pattern, name));
            try {
                found.add(entry(dn, directory.getAttributes(dn, wanted())));
            } catch (NameNotFoundException _) {
                // The next pattern may lead to the user.
            }
        }
        String filter = users.filter();
        if (users.patterns().isEmpty() && filter != null) {
            // Two are one too many, and more need not be sent.
            List<SearchResult> results =
                    searches.search(
                            directory,
                            users.base(),
                            DirectoryNames.filter(filter, List.of(name)),
                            searches.controls(users.subtree(), 2, wanted()),
                            null);
            if (results.size() == 1) {
                SearchResult result = results.getFirst();
                found.add(entry(dn(result), result.getAttributes()));
            }
        }
        return found;
    }

    private String[] wanted() {
        List<String> wanted = new ArrayList<>();
        String roles = settings.roles().userAttribute();
        if (roles != null) {
            wanted.add(roles);
        }
        String password = settings.passwordAttribute();
        if (password != null) {
            wanted.add(password);
        }
        return wanted.toArray(String[]::new);
    }

    private Entry entry(LdapName name, Attributes attributes) throws NamingException {
        String roles = settings.roles().userAttribute();
        String password = settings.passwordAttribute();
        List<String> credentials =
                password == null ? List.of() : DirectorySearch.values(attributes, password);
        return new Entry(
                name,
                roles == null ? List.of() : DirectorySearch.values(attributes, roles),
                credentials.isEmpty() ? null : credentials.getFirst());
    }

    private boolean proves(Entry entry, String password) throws NamingException, IOException {
        if (settings.passwordAttribute() != null) {
            String credential = entry.credential();
            if (credential == null) {
                boolean _ = settings.credentials().matches(password, decoy);
                return false;
            }
            decoy = credential;
            return proofs.matches(settings.credentials(), password, credential);
        }
        return connections.takes(entry.name().toString(), password);
    }

    // Roles

    private User user(InitialLdapContext directory, String name, Entry entry)
            throws NamingException {
        DirectorySettings.Roles settled = settings.roles();
        Set<String> roles = new HashSet<>(entry.roles());
        if (settled.common() != null) {
            roles.add(settled.common());
        }
        String filter = settled.filter();
        String attribute = settled.nameAttribute();
        if (filter != null && attribute != null) {
            Deque<List<String>> members = new ArrayDeque<>();
            members.add(List.of(entry.name().toString(), name));
            Set<String> seen = new HashSet<>();
            while (!members.isEmpty() && seen.size() < NESTED_MAX) {
                String wanted = DirectoryNames.filter(filter, members.remove());
                for (SearchResult result :
                        searches.search(
                                directory,
                                settled.base(),
                                wanted,
                                searches.controls(settled.subtree(), 0, attribute),
                                null)) {
                    List<String> names = DirectorySearch.values(result.getAttributes(), attribute);
                    roles.addAll(names);
                    String dn = dn(result).toString();
                    if (settled.nested() && seen.add(dn)) {
                        members.add(List.of(dn, names.isEmpty() ? "" : names.getFirst()));
                    }
                }
            }
        }
        return new User(name, roles);
    }

    private static LdapName dn(SearchResult result) throws NamingException {
        return new LdapName(result.getNameInNamespace());
    }

    /// Closes the kept connections; a later login opens others.
    @Override
    public void close() {
        connections.close();
    }
}
