package io.margay.servlet.realm;

import java.io.IOException;
import java.util.Hashtable;
import javax.naming.AuthenticationException;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.StartTlsRequest;
import javax.naming.ldap.StartTlsResponse;
import org.jspecify.annotations.Nullable;

/// Opens connections to a directory, by the JDK's LDAP client. Thread-safe.
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // No object is made of what comes; JNDI's own types.
final class DirectoryConnections {
    private static final String CLIENT = "com.sun.jndi.ldap.LdapCtxFactory";

    private final DirectorySettings settings;

    DirectoryConnections(DirectorySettings settings) {
        this.settings = settings;
    }

    /// A connection of whoever searches.
    InitialLdapContext open() throws NamingException, IOException {
        return open(settings.bindName(), settings.bindPassword());
    }

    /// A connection of a user, by the first directory that answers.
    ///
    /// @throws AuthenticationException when the password is wrong
    InitialLdapContext open(@Nullable String name, @Nullable String password)
            throws NamingException, IOException {
        NamingException first = null;
        for (String url : settings.urls()) {
            try {
                return open(url, name, password);
            } catch (AuthenticationException e) {
                throw e;
            } catch (NamingException e) {
                first = first == null ? e : first;
            }
        }
        throw first == null ? new NamingException("no directory is named") : first;
    }

    private InitialLdapContext open(String url, @Nullable String name, @Nullable String password)
            throws NamingException, IOException {
        Hashtable<String, Object> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, CLIENT);
        environment.put(Context.PROVIDER_URL, url);
        environment.put(Context.REFERRAL, "ignore");
        environment.put(
                "com.sun.jndi.ldap.connect.timeout",
                String.valueOf(settings.connectTimeout().toMillis()));
        environment.put(
                "com.sun.jndi.ldap.read.timeout",
                String.valueOf(settings.readTimeout().toMillis()));
        if (!settings.startTls()) {
            credentials(environment, name, password);
        }
        InitialLdapContext directory = connect(environment);
        if (settings.startTls()) {
            try {
                StartTlsResponse tls =
                        (StartTlsResponse) directory.extendedOperation(new StartTlsRequest());
                tls.negotiate();
                credentials(environment, name, password);
                for (String key :
                        new String[] {
                            Context.SECURITY_AUTHENTICATION,
                            Context.SECURITY_PRINCIPAL,
                            Context.SECURITY_CREDENTIALS
                        }) {
                    Object value = environment.get(key);
                    if (value != null) {
                        directory.addToEnvironment(key, value);
                    }
                }
                directory.reconnect(null);
            } catch (NamingException | IOException e) {
                close(directory);
                throw e;
            }
        }
        return directory;
    }

    private static void credentials(
            Hashtable<String, Object> environment,
            @Nullable String name,
            @Nullable String password) {
        if (name == null || password == null) {
            environment.put(Context.SECURITY_AUTHENTICATION, "none");
        } else {
            environment.put(Context.SECURITY_AUTHENTICATION, "simple");
            environment.put(Context.SECURITY_PRINCIPAL, name);
            environment.put(Context.SECURITY_CREDENTIALS, password);
        }
    }

    /// Connects outside of any application, whose `jndi.properties` are not meant, and whose class
    /// loader the client's threads must not keep.
    private static InitialLdapContext connect(Hashtable<String, Object> environment)
            throws NamingException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            return new InitialLdapContext(environment, null);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    static void close(InitialLdapContext directory) {
        try {
            directory.close();
        } catch (NamingException _) {
            // It is of no more use either way.
        }
    }
}
