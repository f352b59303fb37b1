package io.margay.gateway.directory;

import io.margay.server.directory.DirectoryConnectionLimits;
import io.margay.server.directory.DirectoryConnections;
import io.margay.server.directory.DirectorySearch;
import io.margay.server.exchange.OutageLog;
import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.naming.InvalidNameException;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NoPermissionException;
import javax.naming.directory.Attributes;
import javax.naming.directory.InvalidSearchFilterException;
import javax.naming.directory.NoSuchAttributeException;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;

/// The users of a directory: an entry is searched for by the name, and must take the password.
/// Thread-safe; waits. What clients send is a value in a filter, never its syntax.
@SuppressWarnings("BanJNDI") // Attributes are read, and no object is made of what is found.
public final class DirectoryUsers implements AutoCloseable {
    private final Directory directory;
    private final DirectorySearch searches;
    private final DirectoryConnections connections;
    private final DirectoryGroups groups;
    private final OutageLog outage;

    /// The directory does not answer, which has been logged.
    public static final class AwayException extends IOException {
        @Serial private static final long serialVersionUID = 1L;

        AwayException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /// A user whose password is right. Immutable.
    ///
    /// @param groups by their names
    /// @param answers questions that are answered with yes, as texts
    public record Found(String name, Set<String> groups, List<String> answers) {
        public Found {
            groups = Set.copyOf(groups);
            answers = List.copyOf(answers);
        }
    }

    private record Entry(LdapName name, Attributes attributes) {}

    public DirectoryUsers(Directory directory, DirectoryLimits limits, LongSupplier nanoClock) {
        this.directory = directory;
        outage =
                new OutageLog(
                        System.getLogger("io.margay.gateway"),
                        "the directory " + directory.access().urls(),
                        nanoClock);
        searches = new DirectorySearch(directory.access().readTimeout());
        groups = new DirectoryGroups(directory, searches, limits);
        connections =
                new DirectoryConnections(
                        directory.access(), DirectoryConnectionLimits.defaults(), nanoClock);
    }

    /// The user with this name and password, or null.
    ///
    /// @throws IOException when it cannot be told
    public @Nullable Found verify(String name, String password) throws IOException {
        if (name.isEmpty() || password.isEmpty()) {
            return null;
        }
        try {
            Optional<Found> answer =
                    connections.ask(context -> Optional.ofNullable(found(context, name, password)));
            outage.answered();
            return answer.orElse(null);
        } catch (NamingException | IOException e) {
            throw away(e);
        }
    }

    private AwayException away(Exception e) {
        outage.failed(e);
        return new AwayException("the directory " + directory.access().urls() + ": " + e, e);
    }

    private @Nullable Found found(InitialLdapContext context, String name, String password)
            throws NamingException, IOException {
        Entry entry = entry(context, directory.search().filter(), name);
        if (entry == null) {
            takeAsLong(password);
            return null;
        }
        if (!connections.takes(entry.name().toString(), password)) {
            return null;
        }
        String attribute = directory.nameAttribute();
        String shown =
                attribute == null ? name : DirectorySearch.value(entry.attributes(), attribute);
        if (shown == null || shown.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw new IOException(entry.name() + " has no " + attribute + " that is a name");
        }
        List<String> answers = new ArrayList<>();
        for (DirectoryQuestion question : directory.questions()) {
            if (holds(context, question, entry, name)) {
                answers.add(question.text());
            }
        }
        return new Found(shown, groups.of(context, entry.name(), name), answers);
    }

    /// A name that is not there takes as long as a wrong password.
    private void takeAsLong(String password) throws IOException {
        try {
            String nobody = DirectoryConnections.nobody(directory.search().base());
            boolean _ = connections.takes(nobody, password);
        } catch (NamingException _) {
            // There is no such entry.
        }
    }

    /// The one entry that has a name and fits a filter; null when there is none, or several.
    private @Nullable Entry entry(InitialLdapContext context, String filter, String name)
            throws NamingException {
        Directory.Search search = directory.search();
        String wanted = directory.nameAttribute();
        String[] attributes = wanted == null ? new String[0] : new String[] {wanted};
        SearchControls controls = searches.controls(search.subtree(), 2, attributes);
        List<SearchResult> results =
                searches.search(
                        context,
                        search.base(),
                        "(&" + filter + "(" + search.attribute() + "={0}))",
                        controls,
                        name);
        if (results.size() != 1) {
            return null;
        }
        SearchResult only = results.getFirst();
        return new Entry(new LdapName(only.getNameInNamespace()), only.getAttributes());
    }

    private boolean holds(
            InitialLdapContext context, DirectoryQuestion question, Entry entry, String name)
            throws NamingException {
        try {
            return switch (question) {
                case DirectoryQuestion.Has(String attribute, String value) ->
                        searches.compares(context, entry.name(), attribute, value);
                case DirectoryQuestion.Named(String wanted) ->
                        searches.compares(
                                context, entry.name(), directory.search().attribute(), wanted);
                case DirectoryQuestion.Member(String group) ->
                        groups.has(context, new LdapName(group), entry.name(), name);
                case DirectoryQuestion.Is(String dn) -> new LdapName(dn).equals(entry.name());
                case DirectoryQuestion.Fits(String filter) -> {
                    Entry found = entry(context, filter, name);
                    yield found != null && found.name().equals(entry.name());
                }
            };
        } catch (InvalidNameException
                | InvalidSearchFilterException
                | NameNotFoundException
                | NoPermissionException
                | NoSuchAttributeException _) {
            return false;
        }
    }

    /// Closes the connections that are kept.
    @Override
    public void close() {
        connections.close();
    }
}
