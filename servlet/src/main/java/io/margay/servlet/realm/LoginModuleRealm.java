package io.margay.servlet.realm;

import io.margay.server.exchange.LogRate;
import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.User;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import javax.naming.AuthenticationException;
import javax.naming.NamingException;
import javax.security.auth.Subject;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.TextInputCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AccountException;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.CredentialException;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.jspecify.annotations.Nullable;

/// Users whom login modules of JAAS know. Thread-safe as the modules are: each login has a context
/// of its own. Whatever a module throws lets nobody in, and is a wrong password, which counts,
/// since modules say so in many ways; but for one that names as cause that it has not reached a
/// host, a database or a directory.
///
/// Modules are classes of the thread's class loader, which is the application's, or of one that is
/// given. They are asked with name and password alone: not by certificate, not for DIGEST, and not
/// who is logged in still, so that nobody stays logged in over a restart.
public final class LoginModuleRealm implements Realm {
    private static final System.Logger LOG = System.getLogger(LoginModuleRealm.class.getName());

    private final String realm;
    private final Settings settings;
    private final RealmFailures failures;
    private final LogRate rate = new LogRate(Duration.ofSeconds(10), System::nanoTime);

    /// Where the configuration comes from; asked with each login.
    @FunctionalInterface
    public interface Source {
        /// Null = there is none now.
        @Nullable Configuration get();
    }

    /// How modules are asked, and what their principals mean.
    ///
    /// @param entry name of the entry in the configuration
    /// @param loader of the modules; null = that of the thread
    /// @param users classes of principals of which the first is the user
    /// @param roles classes of principals of which each is a role
    public record Settings(
            String entry,
            Source configuration,
            @Nullable ClassLoader loader,
            Set<String> users,
            Set<String> roles) {
        public Settings {
            users = Set.copyOf(users);
            roles = Set.copyOf(roles);
        }
    }

    /// @param name for messages
    public LoginModuleRealm(String name, Settings settings) {
        realm = name;
        this.settings = settings;
        failures = new RealmFailures(name);
    }

    @Override
    public @Nullable User authenticate(String name, String password) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            if (settings.loader != null) {
                thread.setContextClassLoader(settings.loader);
            }
            Configuration configuration = settings.configuration.get();
            if (configuration == null) {
                throw failures.away(new LoginException("there is no configuration of JAAS"));
            }
            Subject subject = new Subject();
            new LoginContext(
                            settings.entry,
                            subject,
                            callbacks -> answer(callbacks, name, password),
                            configuration)
                    .login();
            failures.answered();
            return user(name, subject);
        } catch (LoginException e) {
            if (isAway(e)) {
                throw failures.away(e);
            }
            failures.answered();
            if (!refuses(e) && rate.isDue()) {
                LOG.log(Level.WARNING, "{0}: taken for a wrong password: {1}", realm, e.toString());
            }
            return null;
        } catch (RuntimeException | LinkageError e) {
            throw failures.away(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /// Whether the module says that it has not reached what knows the users.
    private static boolean isAway(LoginException e) {
        return switch (e.getCause()) {
            case AuthenticationException _ -> false;
            case IOException _, SQLException _, NamingException _ -> !refuses(e);
            case null, default -> false;
        };
    }

    /// Whether name or password is wrong, or does not hold any more, in the words of JAAS.
    private static boolean refuses(LoginException e) {
        return e instanceof FailedLoginException
                || e instanceof AccountException
                || e instanceof CredentialException;
    }

    /// The user whom the principals stand for; null when none of them is a user.
    private @Nullable User user(String name, Subject subject) {
        Principal user = null;
        Set<String> roles = new HashSet<>();
        for (Principal principal : subject.getPrincipals()) {
            String type = principal.getClass().getName();
            if (user == null && settings.users.contains(type)) {
                user = principal;
            }
            if (settings.roles.contains(type) && principal.getName() != null) {
                roles.add(principal.getName());
            }
        }
        return user == null ? null : new User(name, roles, user);
    }

    /// What a module may ask for. Texts are of log-ins by DIGEST and by certificate, of which there
    /// are none here, but for the folder of the server.
    private static void answer(Callback[] callbacks, String name, String password)
            throws IOException, UnsupportedCallbackException {
        for (Callback callback : callbacks) {
            switch (callback) {
                case NameCallback of -> of.setName(name);
                case PasswordCallback of -> {
                    char[] given = password.toCharArray();
                    of.setPassword(given);
                    Arrays.fill(given, '\0');
                }
                case TextInputCallback of -> {
                    if (of.getPrompt().equals("catalinaBase")) {
                        of.setText(System.getProperty("catalina.base"));
                    }
                }
                default -> throw new UnsupportedCallbackException(callback);
            }
        }
    }

    @Override
    public @Nullable Secret secret(String name, String realmName, DigestAlgorithm algorithm) {
        return null;
    }

    /// Login modules are asked with a name and a password.
    @Override
    public boolean logsInBy(String method) {
        return !method.equals("DIGEST") && !method.equals("CLIENT-CERT");
    }

    @Override
    public @Nullable User user(String name) {
        return null;
    }

    @Override
    public @Nullable User authenticate(X509Certificate certificate) {
        return null;
    }
}
