package io.margay.servlet.naming;

import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.EnvEntry;
import io.margay.servlet.descriptor.WebAppDescriptor.ResourceDef;
import io.margay.servlet.descriptor.WebAppDescriptor.ResourceRef;
import io.margay.servlet.descriptor.WebAppException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import javax.naming.InvalidNameException;
import org.jspecify.annotations.Nullable;

/// Gathers the names of one application. What is added first stands: what the administrator says
/// goes before what the application declares. Confined to the deploying thread.
public final class NamingBuilder {
    private static final Set<String> SPACES = Set.of("comp", "module", "app", "global");

    private final ClassLoader loader;
    private final ServerResources server;
    private final Entry.Folder root = new Entry.Folder();
    private final List<Resource> resources = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /// @param application what `java:app/AppName` says
    /// @param loader of the application
    public NamingBuilder(String application, ClassLoader loader, ServerResources server) {
        this.loader = loader;
        this.server = server;
        Entry.Folder component = new Entry.Folder();
        root.entries().put("comp", component);
        root.entries().put("module", component);
        root.entries().put("app", new Entry.Folder());
        root.entries().put("global", new Entry.Folder());
        component.entries().put("env", new Entry.Folder());
        bind("java:module/ModuleName", new Entry.Value(application), "");
        bind("java:app/AppName", new Entry.Value(application), "");
        for (String name : server.names()) {
            Resource resource = server.find(name);
            if (resource != null) {
                bind("java:global/" + name, new Entry.Made(resource), "");
            }
        }
    }

    /// Adds a resource of the application's own.
    ///
    /// @param place where it is declared, for messages
    public void resource(String name, ResourceSpec spec, String place) {
        Resource resource = new Resource(name, spec, server.loadersAfter(loader));
        if (bind(name, new Entry.Made(resource), place)) {
            resources.add(resource);
        } else {
            warnings.add(place + ": " + name + " is declared elsewhere, which applies");
        }
    }

    /// Adds an object that the application itself provides, once it has started.
    public void late(String name, String className, Supplier<@Nullable Object> object) {
        bind(name, new Entry.Late(className, object), "");
    }

    /// Adds another name for a resource of the server.
    public void link(String name, String serverName, String place) {
        Resource resource = server.find(serverName);
        if (resource == null) {
            String why =
                    "the server has no resource "
                            + serverName
                            + ", which "
                            + name
                            + " is a link to; declare it under resources in margay.yaml";
            warnings.add(place + ": " + why);
            boolean _ = bind(name, new Entry.Missing(why), place);
        } else {
            boolean _ = bind(name, new Entry.Made(resource), place);
        }
    }

    /// Adds what the application declares.
    public Naming build(WebAppDescriptor descriptor) {
        for (ResourceDef definition : descriptor.naming().resources()) {
            resource(
                    definition.name(),
                    DeclaredResource.spec(definition, warnings),
                    definition.place());
        }
        descriptor.naming().envEntries().forEach(this::envEntry);
        descriptor.naming().resourceRefs().forEach(this::reference);
        return new Naming(root, resources);
    }

    /// What is odd but no error, one line each.
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    private void envEntry(EnvEntry entry) {
        if (entry.lookup() != null) {
            boolean _ = bind(entry.name(), new Entry.Link(entry.lookup()), entry.place());
            return;
        }
        String text = entry.value();
        String typeName = entry.type();
        if (typeName == null) {
            typeName = typeOfTarget(entry);
        }
        Class<?> type = typeName == null ? null : EntryValue.type(typeName, loader);
        if (type == null) {
            throw new WebAppException(
                    entry.place()
                            + ": environment entry "
                            + entry.name()
                            + (typeName == null
                                    ? " has no type. Give one, such as java.lang.String."
                                    : " cannot be a "
                                            + typeName
                                            + ". It may be a java.lang.String, Character, Boolean,"
                                            + " number or Class, or an enumeration."));
        }
        if (text == null || (text.isEmpty() && type != String.class)) {
            return; // Left to the default of what would be injected.
        }
        try {
            Object value = EntryValue.convert(text, type, loader);
            if (value != null) {
                boolean _ = bind(entry.name(), new Entry.Value(value), entry.place());
            }
        } catch (IllegalArgumentException e) {
            throw new WebAppException(
                    entry.place()
                            + ": environment entry "
                            + entry.name()
                            + ": "
                            + e.getMessage()
                            + ". Correct it.",
                    e);
        }
    }

    /// The type of a field that the entry is injected into, which may stand for its own.
    private @Nullable String typeOfTarget(EnvEntry entry) {
        for (var target : entry.targets()) {
            try {
                Class<?> type =
                        Class.forName(target.className(), false, loader)
                                .getDeclaredField(target.member())
                                .getType();
                return java.lang.invoke.MethodType.methodType(type).wrap().returnType().getName();
            } catch (ReflectiveOperationException | LinkageError _) {
                // Then the type has to be declared.
            }
        }
        return null;
    }

    private void reference(ResourceRef reference) {
        String name = reference.name();
        Entry entry;
        Resource shared = shared(reference);
        if (reference.lookup() != null) {
            entry = new Entry.Link(reference.lookup());
        } else if (shared != null) {
            entry = new Entry.Made(shared);
        } else {
            String type = reference.type();
            if (type != null && EntryValue.isSimple(type, loader)) {
                return; // An entry that nobody gave a value: the field keeps its own.
            }
            entry =
                    new Entry.Missing(
                            name
                                    + " is declared ("
                                    + reference.place()
                                    + "), and nothing is there; put a <Resource name=\""
                                    + name
                                    + "\"> into META-INF/context.xml, or declare "
                                    + name
                                    + " under resources in margay.yaml");
        }
        if (bind(name, entry, reference.place()) && entry instanceof Entry.Missing(String why)) {
            warnings.add(why);
        }
    }

    /// The resource of the server that a reference means, by its mapped name or by its own.
    private @Nullable Resource shared(ResourceRef reference) {
        Resource mapped = server.find(reference.mapped());
        if (mapped != null) {
            return mapped;
        }
        String name = reference.name();
        String bare =
                name.startsWith("java:comp/env/")
                        ? name.substring("java:comp/env/".length())
                        : name;
        return server.find(bare);
    }

    /// False when something has the name already.
    private boolean bind(String declared, Entry entry, String place) {
        List<String> parts;
        try {
            parts = Naming.parts(Naming.absolute(declared));
        } catch (InvalidNameException e) {
            throw new WebAppException(
                    place + ": " + declared + " is not a name: " + e.getMessage());
        }
        if (parts.size() < 2 || !SPACES.contains(parts.getFirst())) {
            throw new WebAppException(
                    place
                            + ": "
                            + declared
                            + " cannot be declared. Write a name as jdbc/shop, or one that begins"
                            + " with java:comp/, java:module/, java:app/ or java:global/.");
        }
        Entry.Folder at = root;
        for (String part : parts.subList(0, parts.size() - 1)) {
            Entry next = at.entries().computeIfAbsent(part, _ -> new Entry.Folder());
            if (!(next instanceof Entry.Folder folder)) {
                throw new WebAppException(
                        place
                                + ": "
                                + declared
                                + " lies below "
                                + part
                                + ", which is not a context");
            }
            at = folder;
        }
        Entry before = at.entries().putIfAbsent(parts.getLast(), entry);
        if (before instanceof Entry.Folder) {
            throw new WebAppException(place + ": other names lie below " + declared);
        }
        return before == null;
    }
}
