package io.margay.servlet.naming;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/// Resources that belong to the server and that applications share, by names such as `jdbc/shop`.
/// Each is made when the first asks for it. Thread-safe; the names are fixed.
public final class ServerResources implements AutoCloseable {
    private final Map<String, Resource> resources = new TreeMap<>();
    private final List<ClassLoader> loaders;

    /// @param loaders where drivers and other classes are looked for, in this order
    public ServerResources(
            Map<String, ? extends ResourceSpec> specs, List<? extends ClassLoader> loaders) {
        this.loaders = List.copyOf(loaders);
        specs.forEach((name, spec) -> resources.put(name, new Resource(name, spec, this.loaders)));
    }

    /// None, with a class loader that applications' resources may look for drivers in.
    public static ServerResources none(ClassLoader loader) {
        return new ServerResources(Map.of(), List.of(loader));
    }

    /// The names, in order.
    public Set<String> names() {
        return Set.copyOf(resources.keySet());
    }

    /// The pools of connections that have been made, by name.
    public List<PoolReading> pools() {
        return resources.values().stream().flatMap(one -> one.pool().stream()).toList();
    }

    /// The resource of that name.
    ///
    /// @throws NamingException when there is none, or it cannot be made
    public Object lookup(String name) throws NamingException {
        Resource found = find(name);
        if (found == null) {
            throw new NameNotFoundException("the server has no resource " + name);
        }
        return found.get(null);
    }

    @Nullable Resource find(@Nullable String name) {
        return name == null ? null : resources.get(name);
    }

    /// Where an application's own drivers are looked for: in its class loader first.
    public List<ClassLoader> loadersAfter(ClassLoader application) {
        List<ClassLoader> all = new ArrayList<>(List.of(application));
        all.addAll(loaders);
        return List.copyOf(all);
    }

    /// Ends those that were made. Nobody may use them any more.
    @Override
    public void close() {
        new ArrayList<>(resources.values()).reversed().forEach(Resource::close);
    }
}
