package io.margay.gateway.directory;

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
record DirectorySearch(Duration timeout) {
    SearchControls controls(boolean subtree, int max) {
        SearchControls controls = new SearchControls();
        controls.setSearchScope(
                subtree ? SearchControls.SUBTREE_SCOPE : SearchControls.ONELEVEL_SCOPE);
        controls.setReturningObjFlag(false);
        controls.setCountLimit(max);
        controls.setTimeLimit(Math.toIntExact(timeout.toMillis()));
        return controls;
    }

    /// @param value put in place of `{0}`, escaped
    List<SearchResult> search(
            InitialLdapContext context,
            String base,
            String filter,
            SearchControls controls,
            String value)
            throws NamingException {
        List<SearchResult> results = new ArrayList<>();
        NamingEnumeration<SearchResult> found =
                context.search(new LdapName(base), filter, new Object[] {value}, controls);
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
    List<SearchResult> entry(
            InitialLdapContext context,
            LdapName name,
            String filter,
            List<String> attributes,
            String value)
            throws NamingException {
        SearchControls controls = controls(false, 1);
        controls.setSearchScope(SearchControls.OBJECT_SCOPE);
        controls.setReturningAttributes(attributes.toArray(String[]::new));
        return search(context, name.toString(), filter, controls, value);
    }

    /// Asks the directory, which knows how values of an attribute are compared.
    boolean compares(InitialLdapContext context, LdapName name, String attribute, String value)
            throws NamingException {
        return !entry(context, name, "(" + attribute + "={0})", List.of(), value).isEmpty();
    }

    static @Nullable String value(Attributes attributes, String name) throws NamingException {
        Attribute attribute = attributes.get(name);
        return attribute == null || attribute.size() == 0 ? null : String.valueOf(attribute.get());
    }
}
