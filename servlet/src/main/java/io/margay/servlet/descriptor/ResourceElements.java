package io.margay.servlet.descriptor;

import static io.margay.servlet.descriptor.DescriptorReader.required;

import io.margay.servlet.descriptor.Declarations.Said;
import io.margay.servlet.descriptor.WebAppDescriptor.EnvEntry;
import io.margay.servlet.descriptor.WebAppDescriptor.InjectionTarget;
import io.margay.servlet.descriptor.WebAppDescriptor.ResourceDef;
import io.margay.servlet.descriptor.WebAppDescriptor.ResourceRef;
import io.margay.servlet.xml.XmlElement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the elements about what components get: the naming context's `env-entry`, `resource-ref`,
/// `resource-env-ref`, `data-source` and `mail-session`, and the calls at the beginning and the end
/// of their lives. Confined to the deploying thread.
record ResourceElements(Declarations out, Problems problems) {
    void envEntry(XmlElement e) {
        String name = required(e, "env-entry-name", problems);
        if (name == null) {
            return;
        }
        EnvEntry entry =
                new EnvEntry(
                        name,
                        e.textOf("env-entry-type"),
                        value(e),
                        e.textOf("lookup-name"),
                        targets(e),
                        "");
        if (out.envEntries.put(name, new Said<>(entry, e.origin())) != null) {
            problems.error(
                    e.origin(), "entry " + name + " is declared twice. Remove one of the two.");
        }
    }

    /// An empty value is a value: the empty text.
    private static @Nullable String value(XmlElement e) {
        XmlElement value = e.child("env-entry-value");
        return value == null ? null : value.text();
    }

    void reference(XmlElement e, String nameElement, String typeElement) {
        String name = required(e, nameElement, problems);
        if (name == null) {
            return;
        }
        ResourceRef reference =
                new ResourceRef(
                        name,
                        e.textOf(typeElement),
                        e.textOf("lookup-name"),
                        e.textOf("mapped-name"),
                        targets(e),
                        "");
        if (out.resourceRefs.put(name, new Said<>(reference, e.origin())) != null) {
            problems.error(
                    e.origin(), "resource " + name + " is declared twice. Remove one of the two.");
        }
    }

    private List<InjectionTarget> targets(XmlElement e) {
        List<InjectionTarget> targets = new ArrayList<>();
        for (XmlElement target : e.all("injection-target")) {
            String type = required(target, "injection-target-class", problems);
            String member = required(target, "injection-target-name", problems);
            if (type != null && member != null) {
                targets.add(new InjectionTarget(type, member));
            }
        }
        return targets;
    }

    /// A class has one method for each of the two moments (Servlet 6.1, web-app schema).
    void callback(XmlElement e, Map<String, Said<String>> methods) {
        String type = required(e, "lifecycle-callback-class", problems);
        String method = required(e, "lifecycle-callback-method", problems);
        if (type == null || method == null) {
            return;
        }
        if (methods.put(type, new Said<>(method, e.origin())) != null) {
            problems.error(
                    e.origin(), "class " + type + " has two of these. Remove one of the two.");
        }
    }

    void definition(XmlElement e) {
        String name = required(e, "name", problems);
        if (name == null) {
            return;
        }
        Map<String, String> settings = new LinkedHashMap<>();
        Map<String, String> properties = new LinkedHashMap<>();
        for (XmlElement child : e.children()) {
            switch (child.name()) {
                case "name", "description" -> {
                    // Read above, or words for people.
                }
                case "property" -> {
                    String key = required(child, "name", problems);
                    String value = child.textOf("value");
                    if (key != null) {
                        properties.put(key, value == null ? "" : value);
                    }
                }
                default -> settings.put(child.name(), child.text());
            }
        }
        ResourceDef definition = new ResourceDef(e.name(), name, settings, properties, "");
        if (out.resources.put(name, new Said<>(definition, e.origin())) != null) {
            problems.error(
                    e.origin(), "resource " + name + " is declared twice. Remove one of the two.");
        }
    }
}
