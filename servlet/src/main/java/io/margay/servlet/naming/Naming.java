package io.margay.servlet.naming;

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.Hashtable;
import java.util.List;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.InvalidNameException;
import javax.naming.LinkLoopException;
import javax.naming.Name;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import org.jspecify.annotations.Nullable;

/// The names of one application: `java:comp`, `java:module`, `java:app` and `java:global`. The
/// first two are one, for a web application is a module with one component. Thread-safe; names are
/// fixed once the application is deployed.
public final class Naming implements AutoCloseable {
    /// Before a name from the root.
    static final String SCHEME = "java:";

    /// Where names without a scheme are declared.
    static final String ENVIRONMENT = "comp/env/";

    /// Where resources of the server are.
    private static final String GLOBAL = "global/";

    /// Links that lead to links, at most.
    private static final int LINKS_MAX = 10;

    private final Entry.Folder root;
    private final List<Resource> resources;

    /// @param resources to end with the application, in the order in which they were declared
    Naming(Entry.Folder root, List<Resource> resources) {
        this.root = root;
        this.resources = List.copyOf(resources);
    }

    /// The names of the application that a class loader belongs to; null when it is of none.
    public static @Nullable Naming of(@Nullable ClassLoader loader) {
        ClassLoader at = loader;
        while (at != null) {
            if (at instanceof NamedLoader named) {
                return named.naming();
            }
            at = at.getParent();
        }
        return null;
    }

    /// The pools of connections that the application itself declares and that have been made.
    public List<PoolReading> pools() {
        return resources.stream().flatMap(one -> one.pool().stream()).toList();
    }

    /// The context of all names; what is written into its environment stays its own.
    public Context context(@Nullable Hashtable<?, ?> environment) {
        return new ReadOnlyContext(this, root, "", environment);
    }

    /// What a name leads to, such as `java:comp/env/jdbc/shop`.
    ///
    /// @throws NamingException when nothing has that name, or what has it cannot be made
    public Object lookup(String name) throws NamingException {
        return object(root, "", parts(name), 0, null);
    }

    /// Whether something has that name, be it that it could not be made.
    public boolean has(String name) throws NamingException {
        Entry at = root;
        for (String part : parts(name)) {
            at = at instanceof Entry.Folder(var entries) ? entries.get(part) : null;
            if (at == null) {
                return false;
            }
        }
        return !(at instanceof Entry.Missing);
    }

    /// What is injected where a name is wanted; null = nothing is, so that the default stays.
    ///
    /// @param name as declared
    /// @param lookup where to look when nothing has the name; empty = nowhere
    /// @param type of the field
    /// @throws NamingException when there is nothing, or nothing of that type
    public @Nullable Object injected(String name, String lookup, Class<?> type)
            throws NamingException {
        String at = absolute(name);
        if (!has(at)) {
            if (!lookup.isEmpty()) {
                at = absolute(lookup);
            } else if (has(SCHEME + GLOBAL + name)) {
                at = SCHEME + GLOBAL + name;
            } else if (EntryValue.isSimple(type)) {
                return null;
            }
        }
        Object found = lookup(at);
        if (!type.isPrimitive() && !type.isInstance(found)) {
            throw new NamingException(
                    at + " is a " + found.getClass().getName() + ", and no " + type.getName());
        }
        return found;
    }

    /// A declared name from the root: names without a scheme are of `java:comp/env`.
    public static String absolute(String declared) {
        return declared.startsWith(SCHEME) ? declared : SCHEME + ENVIRONMENT + declared;
    }

    /// What a name below `folder` leads to.
    ///
    /// @param path of the folder from the root, ending with `/` unless it is the root
    /// @param links that led here
    Object object(
            Entry.Folder folder,
            String path,
            List<String> parts,
            int links,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        Entry at = folder;
        StringBuilder passed = new StringBuilder(path);
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            switch (at) {
                case Entry.Folder(var entries) -> {
                    Entry next = entries.get(part);
                    if (next == null) {
                        throw new NameNotFoundException(
                                SCHEME
                                        + passed
                                        + String.join("/", parts.subList(i, parts.size()))
                                        + " is not bound in this application");
                    }
                    at = next;
                }
                case Entry.Link(String target) -> {
                    String rest = String.join("/", parts.subList(i, parts.size()));
                    return linked(target + "/" + rest, links, environment);
                }
                default -> throw new NotContextException(SCHEME + passed + " is not a context");
            }
            passed.append(part).append('/');
        }
        return switch (at) {
            case Entry.Folder further ->
                    new ReadOnlyContext(this, further, passed.toString(), environment);
            case Entry.Value(Object object) -> object;
            case Entry.Made(Resource resource) -> resource.get(this);
            case Entry.Late(String _, var late) -> {
                Object object = late.get();
                if (object == null) {
                    throw new NameNotFoundException(SCHEME + passed + " is not there yet");
                }
                yield object;
            }
            case Entry.Link(String target) -> linked(target, links, environment);
            case Entry.Missing(String why) -> throw new NameNotFoundException(why);
        };
    }

    private Object linked(String target, int links, @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        if (links == LINKS_MAX) {
            throw new LinkLoopException("more than " + LINKS_MAX + " links lead to " + target);
        }
        return object(root, "", parts(target), links + 1, environment);
    }

    /// The parts of a name from the root, with or without `java:`; empty ones are left out.
    static List<String> parts(String name) throws InvalidNameException {
        return parts(new CompositeName(name));
    }

    static List<String> parts(Name name) {
        List<String> parts = new ArrayList<>();
        Enumeration<String> all = name.getAll();
        while (all.hasMoreElements()) {
            String part = all.nextElement();
            if (parts.isEmpty() && part.startsWith(SCHEME)) {
                part = part.substring(SCHEME.length());
            }
            if (!part.isEmpty()) {
                parts.add(part);
            }
        }
        return parts;
    }

    /// Whether data sources were made, so that it was not the application that loaded their
    /// drivers.
    public boolean hasLoadedDrivers() {
        return resources.stream().anyMatch(Resource::isPool);
    }

    /// Ends what was made, the latest declared first.
    @Override
    public void close() {
        resources.reversed().forEach(Resource::close);
    }
}
