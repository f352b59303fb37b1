package io.margay.servlet.realm;

import io.margay.server.directory.DirectoryConnectionLimits;
import io.margay.server.directory.DirectoryConnections;
import io.margay.server.directory.DirectoryConnections.Kept;
import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.RealmAwayException;
import io.margay.servlet.security.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NamingSecurityException;
import javax.naming.directory.Attribute;
import javax.naming.directory.Attributes;
import javax.naming.directory.SearchControls;
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

    /// What no entry is named.
    private static final String NOBODY = "margay-no-such-user";

    private final DirectorySettings settings;
    private final DirectoryConnections connections;
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

    /// What is asked of a directory.
    @FunctionalInterface
    private interface Question {
        @Nullable User ask(InitialLdapContext directory) throws NamingException, IOException;
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
                    return user(directory, name, entry);
                }
            }
            if (entries.isEmpty()) {
                takeAsLong(name, password);
            }
            return null;
        });
    }

    /// Does for a name that is not known what is done for a wrong password.
    private void takeAsLong(String name, String password) {
        if (settings.passwordAttribute() != null) {
            boolean _ = settings.credentials().matches(password, decoy);
            return;
        }
        List<String> patterns = settings.users().patterns();
        String base = settings.users().base();
        String nobody = "cn=" + NOBODY + (base.isEmpty() ? "" : "," + base);
        try {
            String dn = patterns.isEmpty() ? nobody : DirectoryNames.name(patterns.getLast(), name);
            DirectoryConnections.close(connections.open(dn, password));
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
                return entries.isEmpty() ? null : user(directory, name, entries.getFirst());
            });
        } catch (RealmAwayException _) {
            return null;
        }
    }

    /// Asks by a kept connection; if that has died meanwhile, once more by a new one.
    ///
    /// @throws RealmAwayException when the directory does not answer
    private @Nullable User ask(Question question) {
        Kept kept = null;
        try {
            kept = connections.take(false);
            if (kept.used()) {
                try {
                    return answered(question, kept);
                } catch (NamingException | IOException _) {
                    DirectoryConnections.close(kept.context());
                    kept = null;
                    kept = connections.take(true);
                }
            }
            return answered(question, kept);
        } catch (NamingException | IOException e) {
            if (kept != null) {
                DirectoryConnections.close(kept.context());
            }
            throw failures.away(e);
        }
    }

    private @Nullable User answered(Question question, Kept kept)
            throws NamingException, IOException {
        User user = question.ask(kept.context());
        connections.keep(kept);
        failures.answered();
        return user;
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
            SearchControls controls = controls(users.subtree(), wanted());
            // Two are one too many, and more need not be sent.
            controls.setCountLimit(2);
            List<SearchResult> results =
                    search(
                            directory,
                            users.base(),
                            DirectoryNames.filter(filter, List.of(name)),
                            controls);
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
        List<String> credentials = password == null ? List.of() : values(attributes, password);
        return new Entry(
                name,
                roles == null ? List.of() : values(attributes, roles),
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
        try {
            DirectoryConnections.close(connections.open(entry.name().toString(), password));
            return true;
        } catch (NamingSecurityException | NameNotFoundException _) {
            return false;
        }
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
                        search(
                                directory,
                                settled.base(),
                                wanted,
                                controls(settled.subtree(), attribute))) {
                    List<String> names = values(result.getAttributes(), attribute);
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

    // The directory

    private SearchControls controls(boolean subtree, String... attributes) {
        SearchControls controls = new SearchControls();
        controls.setSearchScope(
                subtree ? SearchControls.SUBTREE_SCOPE : SearchControls.ONELEVEL_SCOPE);
        controls.setReturningAttributes(attributes);
        controls.setReturningObjFlag(false);
        controls.setTimeLimit((int) settings.access().readTimeout().toMillis());
        return controls;
    }

    private static List<SearchResult> search(
            InitialLdapContext directory, String base, String filter, SearchControls controls)
            throws NamingException {
        List<SearchResult> results = new ArrayList<>();
        NamingEnumeration<SearchResult> found =
                directory.search(new LdapName(base), filter, controls);
        try {
            while (found.hasMore()) {
                results.add(found.next());
            }
        } catch (javax.naming.SizeLimitExceededException | javax.naming.PartialResultException _) {
            // More than wanted, or parts that lie elsewhere: what came counts.
        } finally {
            found.close();
        }
        return results;
    }

    private static LdapName dn(SearchResult result) throws NamingException {
        return new LdapName(result.getNameInNamespace());
    }

    private static List<String> values(Attributes attributes, String name) throws NamingException {
        List<String> values = new ArrayList<>();
        Attribute attribute = attributes.get(name);
        if (attribute != null) {
            NamingEnumeration<?> all = attribute.getAll();
            while (all.hasMore()) {
                Object value = all.next();
                values.add(
                        value instanceof byte[] bytes
                                ? new String(bytes, StandardCharsets.UTF_8)
                                : String.valueOf(value));
            }
        }
        return values;
    }

    /// Closes the kept connections; a later login opens others.
    @Override
    public void close() {
        connections.close();
    }
}
