package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.Declarations.Said;
import io.margay.servlet.descriptor.WebAppDescriptor.ResourceDef;
import io.margay.servlet.descriptor.WebAppDescriptor.ResourceRef;
import io.margay.servlet.xml.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jspecify.annotations.Nullable;

/// What annotations declare of the naming context: `@Resource` of the application's servlets,
/// filters and listeners, and `@DataSourceDefinition` and `@MailSessionDefinition` of any class
/// (Jakarta Annotations 3.0 §2.3, §2.13; Servlet 6.1 §15.5). What web.xml declares under the same
/// name goes first. Confined to the deploying thread.
record ResourceAnnotations(Declarations merged, AnnotatedClasses classes, Problems problems) {
    private static final DotName RESOURCE = DotName.createSimple("jakarta.annotation.Resource");
    private static final DotName RESOURCES = DotName.createSimple("jakarta.annotation.Resources");
    private static final String DATA_SOURCE = "jakarta.annotation.sql.DataSourceDefinition";
    private static final String MAIL_SESSION = "jakarta.mail.MailSessionDefinition";

    static void apply(Declarations merged, AnnotatedClasses classes, Problems problems) {
        ResourceAnnotations reader = new ResourceAnnotations(merged, classes, problems);
        reader.components().forEach(reader::references);
        reader.definitions(DATA_SOURCE, "data-source");
        reader.definitions(MAIL_SESSION, "mail-session");
    }

    /// The classes of the components, and their super classes as far as the index knows them.
    private Set<ClassInfo> components() {
        Set<String> names = new LinkedHashSet<>(merged.listeners.keySet());
        merged.servlets.values().forEach(servlet -> add(names, servlet.className));
        merged.filters.values().forEach(filter -> add(names, filter.className));
        Set<ClassInfo> components = new LinkedHashSet<>();
        for (String name : names) {
            ClassInfo at = classes.find(name);
            while (at != null && components.add(at)) {
                at = classes.superClass(at);
            }
        }
        return components;
    }

    private static void add(Set<String> names, @Nullable Said<String> className) {
        if (className != null) {
            names.add(className.value());
        }
    }

    private void references(ClassInfo type) {
        List<AnnotationInstance> found = new ArrayList<>();
        found.addAll(type.annotationsMap().getOrDefault(RESOURCE, List.of()));
        for (AnnotationInstance all : type.annotationsMap().getOrDefault(RESOURCES, List.of())) {
            found.addAll(List.of(all.value().asNestedArray()));
        }
        for (AnnotationInstance resource : found) {
            reference(type, resource);
        }
    }

    private void reference(ClassInfo type, AnnotationInstance resource) {
        Origin origin = new Origin(type.name().toString(), 0, 0, "@Resource");
        String name = text(resource, "name");
        AnnotationTarget target = resource.target();
        String kind = text(resource, "type");
        if (target != null && target.kind() == AnnotationTarget.Kind.FIELD) {
            name = name == null ? type.name() + "/" + target.asField().name() : name;
            kind = kind == null ? target.asField().type().name().toString() : kind;
        } else if (target != null && target.kind() == AnnotationTarget.Kind.METHOD) {
            String method = target.asMethod().name();
            if (!method.startsWith("set") || target.asMethod().parametersCount() != 1) {
                return; // Told when the class is used: such a method cannot be called.
            }
            name = name == null ? type.name() + "/" + property(method) : name;
            kind = kind == null ? target.asMethod().parameterType(0).name().toString() : kind;
        }
        if (name == null) {
            problems.warning(origin, "names nothing; on a class it needs a name");
            return;
        }
        if (!merged.envEntries.containsKey(name) && !merged.resources.containsKey(name)) {
            ResourceRef reference =
                    new ResourceRef(
                            name,
                            kind,
                            text(resource, "lookup"),
                            text(resource, "mappedName"),
                            List.of(),
                            "");
            merged.resourceRefs.putIfAbsent(name, new Said<>(reference, origin));
        }
    }

    /// `dataSource` of `setDataSource`, as JavaBeans have it.
    private static String property(String method) {
        String name = method.substring(3);
        boolean acronym = name.length() > 1 && Character.isUpperCase(name.charAt(1));
        return acronym || name.isEmpty()
                ? name
                : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    private static @Nullable String text(AnnotationInstance instance, String member) {
        AnnotationValue value = instance.value(member);
        if (value == null) {
            return null;
        }
        String text =
                value.kind() == AnnotationValue.Kind.CLASS
                        ? value.asClass().name().toString()
                        : value.asString();
        return text.isEmpty() ? null : text;
    }

    private void definitions(String annotation, String kind) {
        for (AnnotationInstance one : classes.annotations(DotName.createSimple(annotation))) {
            definition(one, kind);
        }
        for (AnnotationInstance all : classes.annotations(DotName.createSimple(annotation + "s"))) {
            for (AnnotationInstance one : all.value().asNestedArray()) {
                definition(one, kind);
            }
        }
    }

    /// The members are called as the elements of web.xml are: `maxPoolSize` is `max-pool-size`.
    private void definition(AnnotationInstance instance, String kind) {
        Map<String, String> settings = new LinkedHashMap<>();
        Map<String, String> properties = new LinkedHashMap<>();
        for (AnnotationValue value : instance.values()) {
            if (value.name().equals("properties")) {
                for (String pair : value.asStringArray()) {
                    int equals = pair.indexOf('=');
                    if (equals > 0) {
                        properties.put(pair.substring(0, equals), pair.substring(equals + 1));
                    }
                }
            } else {
                String element = value.name().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
                settings.put(element, value.value().toString());
            }
        }
        String name = settings.remove("name");
        settings.remove("description");
        if (name != null) {
            Origin origin =
                    new Origin(
                            instance.target() == null
                                    ? "annotations"
                                    : instance.target().toString(),
                            0,
                            0,
                            "@" + instance.name().withoutPackagePrefix());
            ResourceDef definition = new ResourceDef(kind, name, settings, properties, "");
            merged.resources.putIfAbsent(name, new Said<>(definition, origin));
        }
    }
}
