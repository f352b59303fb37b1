package io.margay.server.directory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Hashtable;
import java.util.function.LongSupplier;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NamingSecurityException;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.StartTlsRequest;
import javax.naming.ldap.StartTlsResponse;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/// Connections to a directory, by the JDK's LDAP client: those for searching are kept for a while.
/// Thread-safe: `idle` is guarded by itself, for as long as one look takes.
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // The configuration's directory; JNDI's own types.
public final class DirectoryConnections implements AutoCloseable {
    private final DirectoryAccess directory;
    private final DirectoryConnectionLimits limits;
    private final LongSupplier nanoClock;
    private final DirectoryTrust trust;
    private final Deque<Kept> idle = new ArrayDeque<>();
    private boolean closed;

    /// A connection for searching.
    ///
    /// @param used whether it was idle, and so may be closed by now
    private record Kept(InitialLdapContext context, long nanos, boolean used) {}

    /// What is asked of a directory.
    @FunctionalInterface
    public interface Question<V> {
        V ask(InitialLdapContext directory) throws NamingException, IOException;
    }

    public DirectoryConnections(
            DirectoryAccess directory, DirectoryConnectionLimits limits, LongSupplier nanoClock) {
        this.directory = directory;
        this.limits = limits;
        this.nanoClock = nanoClock;
        trust = new DirectoryTrust(directory.tls());
    }

    /// The name of an entry that does not exist, so that unknown users take as long as wrong
    /// passwords.
    ///
    /// @param base below which entries are; may be empty
    public static String nobody(String base) {
        return "cn=margay-no-such-user" + (base.isEmpty() ? "" : "," + base);
    }

    /// Asks by a kept connection; if that has died meanwhile, once more by a new one.
    public <V> V ask(Question<V> question) throws NamingException, IOException {
        Kept kept = take(false);
        if (kept.used) {
            try {
                return answered(kept, question);
            } catch (NamingException | IOException _) {
                kept = take(true); // the directory may have closed it
            }
        }
        return answered(kept, question);
    }

    private <V> V answered(Kept kept, Question<V> question) throws NamingException, IOException {
        V answer;
        try {
            answer = question.ask(kept.context);
        } catch (NamingException | IOException | RuntimeException e) {
            close(kept.context);
            throw e;
        }
        keep(kept);
        return answer;
    }

    /// Whether an entry takes a password.
    public boolean takes(String name, String password) throws NamingException, IOException {
        try {
            close(open(name, password));
            return true;
        } catch (NamingSecurityException | NameNotFoundException _) {
            return false;
        }
    }

    /// One for searching.
    ///
    /// @param fresh whether none that was idle will do
    private Kept take(boolean fresh) throws NamingException, IOException {
        while (!fresh) {
            Kept kept;
            synchronized (idle) {
                kept = idle.poll();
            }
            if (kept == null) {
                break;
            }
            if (nanoClock.getAsLong() - kept.nanos < limits.idleFor().toNanos()) {
                return new Kept(kept.context, kept.nanos, true);
            }
            close(kept.context);
        }
        DirectoryAccess.Bind bind = directory.bind();
        String name = bind.name();
        return new Kept(
                name == null ? open(null, "") : open(name, password(bind)),
                nanoClock.getAsLong(),
                false);
    }

    /// Keeps one that works for the next search.
    private void keep(Kept one) {
        Kept kept = new Kept(one.context, nanoClock.getAsLong(), false);
        Kept oldest = null;
        synchronized (idle) {
            idle.push(kept);
            if (closed || idle.size() > limits.idleMax()) {
                oldest = idle.pollLast();
            }
        }
        if (oldest != null) {
            close(oldest.context);
        }
    }

    private String password(DirectoryAccess.Bind bind) throws IOException {
        Path file = bind.passwordFile();
        if (file == null) {
            return bind.password() == null ? "" : bind.password();
        }
        if (Files.size(file) > limits.secretBytesMax()) {
            throw new IOException(file + " is larger than " + limits.secretBytesMax());
        }
        return Files.readString(file, StandardCharsets.UTF_8).strip();
    }

    /// Logs in.
    ///
    /// @param name null = nobody in particular
    private InitialLdapContext open(@Nullable String name, String password)
            throws NamingException, IOException {
        if (name != null && password.isEmpty()) {
            throw new IOException("an empty password would be anonymous (RFC 4513 §5.1.2)");
        }
        Hashtable<String, Object> settings = new Hashtable<>();
        settings.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
        settings.put(Context.PROVIDER_URL, String.join(" ", directory.urls()));
        settings.put(Context.REFERRAL, "ignore");
        settings.put("java.naming.ldap.version", "3");
        settings.put(
                "com.sun.jndi.ldap.connect.timeout",
                Long.toString(directory.connectTimeout().toMillis()));
        settings.put(
                "com.sun.jndi.ldap.read.timeout",
                Long.toString(directory.readTimeout().toMillis()));
        if (!directory.tls().start()) {
            credentials(settings, name, password);
        }
        SSLSocketFactory sockets = trust.sockets();
        InitialLdapContext context = connect(settings, sockets);
        if (!directory.tls().start()) {
            return context;
        }
        try {
            StartTlsResponse tls =
                    (StartTlsResponse) context.extendedOperation(new StartTlsRequest());
            if (!directory.tls().verify()) {
                tls.setHostnameVerifier((_, _) -> true);
            }
            SSLSession _ = sockets == null ? tls.negotiate() : tls.negotiate(sockets);
            Hashtable<String, Object> later = new Hashtable<>();
            credentials(later, name, password);
            for (var one : later.entrySet()) {
                context.addToEnvironment(one.getKey(), one.getValue());
            }
            context.reconnect(null);
            return context;
        } catch (NamingException | IOException e) {
            close(context);
            throw e;
        }
    }

    private static void credentials(
            Hashtable<String, Object> settings, @Nullable String name, String password) {
        settings.put(Context.SECURITY_AUTHENTICATION, name == null ? "none" : "simple");
        if (name != null) {
            settings.put(Context.SECURITY_PRINCIPAL, name);
            settings.put(Context.SECURITY_CREDENTIALS, password);
        }
    }

    private InitialLdapContext connect(
            Hashtable<String, Object> settings, @Nullable SSLSocketFactory sockets)
            throws NamingException {
        boolean own = sockets != null && directory.urls().getFirst().startsWith("ldaps:");
        if (!own || sockets == null) {
            return connected(settings, ClassLoader.getPlatformClassLoader());
        }
        settings.put("java.naming.ldap.factory.socket", DirectorySockets.class.getName());
        ClassLoader loader = DirectorySockets.class.getClassLoader();
        return DirectorySockets.with(sockets, () -> connected(settings, loader));
    }

    /// The provider is looked for by the thread's class loader, which is not to be one of an
    /// application.
    private static InitialLdapContext connected(
            Hashtable<String, Object> settings, ClassLoader loader) throws NamingException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return new InitialLdapContext(settings, null);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void close(InitialLdapContext context) {
        try {
            context.close();
        } catch (NamingException _) {
            // Nobody uses it any more.
        }
    }

    /// Closes those that are idle, and later those that are in use.
    @Override
    public void close() {
        while (true) {
            Kept kept;
            synchronized (idle) {
                closed = true;
                kept = idle.poll();
            }
            if (kept == null) {
                return;
            }
            close(kept.context);
        }
    }
}
