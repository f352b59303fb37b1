package io.margay.server.directory;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.PartialResultException;
import javax.naming.SizeLimitExceededException;
import javax.naming.directory.Attribute;
import javax.naming.directory.Attributes;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;

/// How a directory is searched. Immutable; waits.
///
/// @param timeout of each answer
@SuppressWarnings("BanJNDI") // Attributes are read, and no object is made of what is found.
public record DirectorySearch(Duration timeout) {
    /// @param max of results; 0 = any number
    public SearchControls controls(boolean subtree, int max, String... attributes) {
        SearchControls controls = new SearchControls();
        controls.setSearchScope(
                subtree ? SearchControls.SUBTREE_SCOPE : SearchControls.ONELEVEL_SCOPE);
        controls.setReturningAttributes(attributes);
        controls.setReturningObjFlag(false);
        controls.setCountLimit(max);
        controls.setTimeLimit(Math.toIntExact(timeout.toMillis()));
        return controls;
    }

    /// @param value put in place of `{0}`, escaped; null = the filter is whole
    public List<SearchResult> search(
            InitialLdapContext context,
            String base,
            String filter,
            SearchControls controls,
            @Nullable String value)
            throws NamingException {
        List<SearchResult> results = new ArrayList<>();
        LdapName below = new LdapName(base);
        NamingEnumeration<SearchResult> found =
                value == null
                        ? context.search(below, filter, controls)
                        : context.search(below, filter, new Object[] {value}, controls);
        try {
            while (found.hasMore()) {
                results.add(found.next());
            }
        } catch (SizeLimitExceededException | PartialResultException _) {
            // More than wanted, or parts that lie in other directories, which are not asked.
        } finally {
            found.close();
        }
        return results;
    }

    /// What an entry is, as far as it fits a filter.
    ///
    /// @param value put in place of `{0}`, escaped
    public List<SearchResult> entry(
            InitialLdapContext context,
            LdapName name,
            String filter,
            List<String> attributes,
            String value)
            throws NamingException {
        SearchControls controls = controls(false, 1, attributes.toArray(String[]::new));
        controls.setSearchScope(SearchControls.OBJECT_SCOPE);
        return search(context, name.toString(), filter, controls, value);
    }

    /// Asks the directory, which knows how values of an attribute are compared.
    public boolean compares(
            InitialLdapContext context, LdapName name, String attribute, String value)
            throws NamingException {
        return !entry(context, name, "(" + attribute + "={0})", List.of(), value).isEmpty();
    }

    /// The first value of an attribute.
    public static @Nullable String value(Attributes attributes, String name)
            throws NamingException {
        Attribute attribute = attributes.get(name);
        return attribute == null || attribute.size() == 0 ? null : String.valueOf(attribute.get());
    }

    /// All values of an attribute, as texts.
    public static List<String> values(Attributes attributes, String name) throws NamingException {
        List<String> values = new ArrayList<>();
        Attribute attribute = attributes.get(name);
        for (int i = 0; attribute != null && i < attribute.size(); i++) {
            values.add(
                    attribute.get(i) instanceof byte[] bytes
                            ? new String(bytes, StandardCharsets.UTF_8)
                            : String.valueOf(attribute.get(i)));
        }
        return values;
    }
}
