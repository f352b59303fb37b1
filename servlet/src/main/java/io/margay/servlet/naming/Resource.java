package io.margay.servlet.naming;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import javax.naming.NamingException;
import javax.naming.ServiceUnavailableException;
import org.jspecify.annotations.Nullable;

/// A resource that is made when it is first asked for, and ended with its owner: an application, or
/// the server. Thread-safe; making is guarded by the resource itself.
final class Resource {
    private static final System.Logger LOG = System.getLogger(Resource.class.getName());

    private final String name;
    private final ResourceSpec spec;
    private final List<ClassLoader> loaders;
    private ResourceMaker.@Nullable Made made;
    private boolean closed;

    /// @param loaders where its classes are looked for, in this order; threads that it begins have
    ///   the first as their context
    Resource(String name, ResourceSpec spec, List<ClassLoader> loaders) {
        this.name = name;
        this.spec = spec;
        this.loaders = List.copyOf(loaders);
    }

    /// The class by which listings call it.
    String className() {
        return spec.className();
    }

    /// Whether it is a pool that has been made, by a driver that registers itself.
    synchronized boolean isPool() {
        ResourceMaker.Made known = made;
        return known != null && known.object() instanceof PooledDataSource;
    }

    /// What it does as a pool of connections; nothing when it is none, or has not been made yet.
    synchronized Optional<PoolReading> pool() {
        ResourceMaker.Made known = made;
        return known != null && known.object() instanceof PooledDataSource pool
                ? Optional.of(pool.read())
                : Optional.empty();
    }

    /// The object.
    ///
    /// @param naming of the application that asks; null = the server does
    synchronized Object get(@Nullable Naming naming) throws NamingException {
        if (closed) {
            throw new ServiceUnavailableException(name + ": the application has ended");
        }
        ResourceMaker.Made known = made;
        if (known != null) {
            return known.object();
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loaders.getFirst());
        try {
            ResourceMaker.Made fresh = ResourceMaker.make(name, spec, loaders, naming);
            if (spec.singleton()) {
                made = fresh;
            }
            return fresh.object();
        } catch (NamingException e) {
            throw e;
        } catch (Exception | LinkageError e) {
            NamingException failure =
                    new NamingException("resource " + name + " cannot be made: " + reason(e));
            failure.initCause(e);
            throw failure;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static String reason(Throwable e) {
        Throwable at = e;
        while (at.getMessage() == null && at.getCause() != null) {
            at = at.getCause();
        }
        return at.getMessage() == null ? at.toString() : at.getMessage();
    }

    synchronized void close() {
        closed = true;
        ResourceMaker.Made ending = made;
        made = null;
        if (ending != null) {
            try {
                ending.end().close();
            } catch (Exception | LinkageError e) {
                LOG.log(Level.WARNING, "resource " + name + " did not end as it should", e);
            }
        }
    }
}
