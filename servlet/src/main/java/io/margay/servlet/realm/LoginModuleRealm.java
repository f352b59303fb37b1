package io.margay.servlet.realm;

import io.margay.servlet.security.DigestAlgorithm;
import io.margay.servlet.security.Realm;
import io.margay.servlet.security.User;
import java.io.IOException;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
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
/// of its own. Whatever a module throws lets nobody in; but only what says that name or password is
/// wrong is a wrong password, which counts.
///
/// Modules are classes of the thread's class loader, which is the application's, or of one that is
/// given. They are asked with name and password alone: not by certificate, not for DIGEST, and not
/// who is logged in still, so that nobody stays logged in over a restart.
public final class LoginModuleRealm implements Realm {
    private final Settings settings;
    private final RealmFailures failures;

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
                throw new LoginException("there is no configuration of JAAS");
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
            if (refuses(e)) {
                failures.answered();
                return null;
            }
            throw failures.away(e);
        } catch (RuntimeException | LinkageError e) {
            throw failures.away(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /// Whether name or password is wrong, or does not hold any more. Java's module of Kerberos says
    /// so by the cause alone.
    private static boolean refuses(LoginException e) {
        return switch (e) {
            case FailedLoginException _, AccountException _, CredentialException _ -> true;
            default -> {
                Throwable cause = e.getCause();
                yield cause != null && cause.getClass().getSimpleName().equals("KrbException");
            }
        };
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
