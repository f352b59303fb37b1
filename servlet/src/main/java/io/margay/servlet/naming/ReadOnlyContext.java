package io.margay.servlet.naming;

import java.util.ArrayList;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;

/// A folder of an application's names. Nothing can be bound: it is declared (Jakarta Platform 11
/// §5.2.2). Thread-safe but for its environment, which belongs to whoever asked for the context.
@SuppressWarnings({
    "BanJNDI",
    "JdkObsolete"
}) // JNDI itself: names lead to what is declared, never afar.
final class ReadOnlyContext implements Context {
    private final Naming naming;
    private final Entry.Folder folder;
    private final String path;
    private final Hashtable<Object, Object> environment = new Hashtable<>();

    ReadOnlyContext(
            Naming naming,
            Entry.Folder folder,
            String path,
            @Nullable Hashtable<?, ?> environment) {
        this.naming = naming;
        this.folder = folder;
        this.path = path;
        if (environment != null) {
            this.environment.putAll(environment);
        }
    }

    private Object find(List<String> parts) throws NamingException {
        return naming.object(folder, path, parts, 0, environment);
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        return find(Naming.parts(name));
    }

    @Override
    public Object lookup(String name) throws NamingException {
        return find(Naming.parts(name));
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return lookup(name);
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return lookup(name);
    }

    private ReadOnlyContext context(List<String> parts) throws NamingException {
        if (find(parts) instanceof ReadOnlyContext found) {
            return found;
        }
        throw new NotContextException(String.join("/", parts) + " is not a context");
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        List<NameClassPair> pairs = new ArrayList<>();
        for (Map.Entry<String, Entry> entry :
                context(Naming.parts(name)).folder.entries().entrySet()) {
            String className =
                    switch (entry.getValue()) {
                        case Entry.Folder _ -> Context.class.getName();
                        case Entry.Value(Object object) -> object.getClass().getName();
                        case Entry.Made(Resource resource) -> resource.className();
                        case Entry.Late(String type, var _) -> type;
                        case Entry.Link _, Entry.Missing _ -> Object.class.getName();
                    };
            pairs.add(new NameClassPair(entry.getKey(), className));
        }
        return new Listing<>(pairs.iterator());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        return list(new CompositeName(name));
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        ReadOnlyContext context = context(Naming.parts(name));
        List<Binding> bindings = new ArrayList<>();
        for (Map.Entry<String, Entry> entry : context.folder.entries().entrySet()) {
            if (!(entry.getValue() instanceof Entry.Missing)) {
                bindings.add(new Binding(entry.getKey(), context.find(List.of(entry.getKey()))));
            }
        }
        return new Listing<>(bindings.iterator());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        return listBindings(new CompositeName(name));
    }

    private record Listing<T>(Iterator<T> left) implements NamingEnumeration<T> {
        @Override
        public T next() {
            return left.next();
        }

        @Override
        public boolean hasMore() {
            return left.hasNext();
        }

        @Override
        public boolean hasMoreElements() {
            return left.hasNext();
        }

        @Override
        public T nextElement() {
            return left.next();
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }

    @Override
    public NameParser getNameParser(Name name) {
        return CompositeName::new;
    }

    @Override
    public NameParser getNameParser(String name) {
        return CompositeName::new;
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        Name whole = (Name) prefix.clone();
        return whole.addAll(name);
    }

    @Override
    public String composeName(String name, String prefix) throws NamingException {
        return composeName(new CompositeName(name), new CompositeName(prefix)).toString();
    }

    @Override
    public String getNameInNamespace() {
        String bare = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return Naming.SCHEME + bare;
    }

    @Override
    public @Nullable Object addToEnvironment(String name, Object value) {
        return environment.put(name, value);
    }

    @Override
    public @Nullable Object removeFromEnvironment(String name) {
        return environment.remove(name);
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    @Override
    public void close() {
        // The names are the application's.
    }

    private static NamingException readOnly() {
        return new OperationNotSupportedException(
                "names of an application are declared in web.xml, META-INF/context.xml or by"
                        + " annotations, and not bound by programs");
    }

    @Override
    public void bind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void bind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(Name name, Name other) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(String name, String other) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw readOnly();
    }
}
