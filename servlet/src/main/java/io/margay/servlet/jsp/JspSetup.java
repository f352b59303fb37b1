package io.margay.servlet.jsp;

import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.JspGroup;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.descriptor.WebAppDescriptorServletDefBuilder;
import io.margay.servlet.settings.LateAttribute;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.PageClasses;
import io.margay.servlet.settings.WebAppSettings.Initializer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.jasper.servlet.JspServlet;
import org.apache.tomcat.InstanceManager;
import org.apache.tomcat.JarScanner;
import org.jspecify.annotations.Nullable;

/// Gives an application its page engine: the servlet `jsp` with its mappings and parameters, the
/// initializer that finds tag libraries, and the context attributes that Jasper asks for.
/// Immutable.
public final class JspSetup {
    private static final String NAME = "jsp";

    private final JspSettings settings;
    private final boolean folder;
    private final Path scratch;
    private final @Nullable PageClasses classes;

    /// @param folder whether the application is a folder, and not a WAR
    /// @param scratch where translated pages are kept, over restarts too
    /// @param classes how pages of an older API are compiled; null = they are of this one
    public JspSetup(
            JspSettings settings, boolean folder, Path scratch, @Nullable PageClasses classes) {
        this.settings = settings;
        this.folder = folder;
        this.scratch = scratch;
        this.classes = classes;
    }

    /// The descriptor with the servlet `jsp`. What the application says of that name goes first:
    /// its parameters, its mappings of `*.jsp`, even another class.
    public WebAppDescriptor extend(WebAppDescriptor from) {
        List<ServletDef> servlets = new ArrayList<>();
        ServletDef declared = null;
        for (ServletDef servlet : from.components().servlets()) {
            if (servlet.name().equals(NAME)) {
                declared = servlet;
            } else {
                servlets.add(servlet);
            }
        }
        servlets.add(servlet(declared));
        Map<String, String> mappings = new LinkedHashMap<>(from.components().servletMappings());
        mappings.putIfAbsent("*.jsp", NAME);
        mappings.putIfAbsent("*.jspx", NAME);
        for (JspGroup group : from.jsp().groups()) {
            // Goes before a servlet with the same pattern (Pages 4.0 §3.3.2).
            group.urlPatterns().forEach(pattern -> mappings.put(pattern, NAME));
        }
        return from.withServlets(List.copyOf(servlets), Collections.unmodifiableMap(mappings));
    }

    private ServletDef servlet(@Nullable ServletDef given) {
        ServletDef declared = given == null ? ServletDef.of(NAME, null, null, Map.of()) : given;
        String className = declared.className();
        Map<String, String> parameters = new LinkedHashMap<>();
        if (className == null || className.equals(JspServlet.class.getName())) {
            className = JspServlet.class.getName();
            parameters.putAll(parameters());
        }
        parameters.putAll(declared.initParams());
        return WebAppDescriptorServletDefBuilder.builder(declared)
                .name(NAME)
                .className(className)
                .initParams(Collections.unmodifiableMap(parameters))
                .build();
    }

    /// Jasper's parameters; the reasons stand in docs/decisions/jsp.md.
    Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        boolean development = settings.development();
        parameters.put("scratchdir", scratch.toString());
        parameters.put("development", Boolean.toString(settings.watches(folder)));
        parameters.put(
                "modificationTestInterval", Long.toString(settings.checkInterval().toSeconds()));
        parameters.put("checkInterval", "0");
        parameters.put("fork", "false");
        parameters.put("compilerSourceVM", "25");
        parameters.put("compilerTargetVM", "25");
        parameters.put("classdebuginfo", "true");
        parameters.put("keepgenerated", Boolean.toString(development));
        parameters.put("displaySourceFragment", Boolean.toString(development));
        parameters.put("mappedfile", Boolean.toString(development));
        parameters.put("genStringAsCharArray", "true");
        parameters.put("enablePooling", "true");
        parameters.put("trimSpaces", "false");
        parameters.put("xpoweredBy", "false");
        parameters.put("compilerClassName", PageCompiler.class.getName());
        return parameters;
    }

    /// What must run before the application's own initializers.
    ///
    /// @param scan which libraries are looked through; null = all on the class path
    public Initializer initializer(@Nullable LibraryScan scan) {
        return new Initializer(new JspInitializer(this, scan, settings.precompile()), null);
    }

    /// Context attributes by name. Tag libraries of a WAR live in WEB-INF, WEB-INF/lib and the
    /// libraries that all applications share: the container ships none, and walking its class path
    /// would cost most of the start.
    ///
    /// @param scan which libraries are looked through
    public Map<String, Object> attributes(ClassLoader loader, LibraryScan scan) {
        return attributes(loader, () -> new LibraryScanner(loader.getParent(), scan));
    }

    /// Context attributes by name, for an application that is no WAR, whose tag libraries are on
    /// the class path of the program.
    public Map<String, Object> attributesOnClassPath(ClassLoader loader) {
        return attributes(loader, () -> new ClassPathScanner(scratch));
    }

    private Map<String, Object> attributes(ClassLoader loader, Supplier<JarScanner> scanner) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(InstanceManager.class.getName(), new JspInstances(loader));
        attributes.put(JarScanner.class.getName(), new LateAttribute(scanner));
        if (classes != null) {
            attributes.put(PageClasses.class.getName(), classes);
        }
        return Map.copyOf(attributes);
    }
}
