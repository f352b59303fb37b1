package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Whether the classes of an application's servlets, filters and listeners are there, and were
/// written for the jakarta packages. Nothing is loaded for it. Confined to the deploying thread.
public final class DeclaredClasses {
    private static final String JAVA_EE = "javax/servlet/";
    private static final String JAKARTA = "jakarta/servlet/";

    private final ClassLoader loader;

    /// What keeps the application from starting: filters and listeners.
    private final List<String> errors = new ArrayList<>();

    /// Servlets, without which the rest of the application can be served.
    private final List<String> warnings = new ArrayList<>();

    /// Names of those servlets.
    private final Set<String> unusable = new HashSet<>();

    private int usable;
    private @Nullable String forJavaEe;

    private DeclaredClasses(ClassLoader loader) {
        this.loader = loader;
    }

    /// Looks at everything that is declared.
    ///
    /// @param assembly of which the descriptor is
    /// @param loader of the application
    /// @param classes WEB-INF/classes, or null when there is none
    /// @throws WebAppException when the whole application was written for Java EE
    public static DeclaredClasses of(
            WebAppDescriptor descriptor,
            DescriptorAssembly assembly,
            ClassLoader loader,
            @Nullable Path classes)
            throws IOException {
        DeclaredClasses found = new DeclaredClasses(loader);
        for (String listener : descriptor.components().listeners()) {
            found.look(assembly.listener(listener), listener, found.errors);
        }
        for (FilterDef filter : descriptor.components().filters()) {
            String declared = assembly.filter(filter.name()) + " " + filter.name() + ":";
            found.look(declared, filter.className(), found.errors);
        }
        for (ServletDef servlet : descriptor.components().servlets()) {
            int before = found.warnings.size();
            String declared = assembly.servlet(servlet.name()) + " " + servlet.name() + ":";
            found.look(declared, servlet.className(), found.warnings);
            if (found.warnings.size() > before) {
                found.unusable.add(servlet.name());
            }
        }
        String witness = found.forJavaEe;
        boolean nothing =
                descriptor.components().listeners().isEmpty()
                        && descriptor.components().filters().isEmpty()
                        && descriptor.components().servlets().isEmpty();
        if (nothing && classes != null) {
            witness = witness(classes);
        }
        if (found.usable == 0 && witness != null) {
            throw new WebAppException(
                    "the application was written for Java EE, whose packages begin with javax: "
                            + witness
                            + " uses javax.servlet. Convert it to the jakarta packages with"
                            + " \"margay convert\".");
        }
        return found;
    }

    /// What keeps the application from starting, a line each.
    public List<String> errors() {
        return errors;
    }

    /// What it can be served without, a line each.
    public List<String> warnings() {
        return warnings;
    }

    /// The descriptor with the servlets disabled that cannot be used: it is told at deployment, and
    /// is no failure of requests.
    public WebAppDescriptor usable(WebAppDescriptor descriptor) {
        return unusable.isEmpty()
                ? descriptor
                : descriptor.withServlets(
                        descriptor.components().servlets().stream()
                                .map(one -> unusable.contains(one.name()) ? one.disabled() : one)
                                .toList(),
                        descriptor.components().servletMappings());
    }

    private void look(String declared, @Nullable String className, List<String> problems)
            throws IOException {
        if (className == null) {
            return;
        }
        String file = className.replace('.', '/') + ".class";
        try (InputStream in = loader.getResourceAsStream(file)) {
            if (in == null) {
                problems.add(
                        declared
                                + " there is no class "
                                + className
                                + " in WEB-INF/classes, in WEB-INF/lib or among the libraries of"
                                + " the server. Add it, or remove the declaration.");
            } else if (isForJavaEe(in.readAllBytes())
                    && loader.getResource(JAVA_EE + "Servlet.class") == null) {
                forJavaEe = className;
                problems.add(
                        declared
                                + " the class "
                                + className
                                + " was written for Java EE (javax.servlet). Convert it to the"
                                + " jakarta packages with \"margay convert\".");
            } else {
                usable++;
            }
        }
    }

    private static boolean isForJavaEe(byte[] classFile) {
        String text = new String(classFile, StandardCharsets.ISO_8859_1);
        return text.contains(JAVA_EE) && !text.contains(JAKARTA);
    }

    /// A class that was written for Java EE, unless another one was not; null when there is none.
    private static @Nullable String witness(Path classes) throws IOException {
        String found = null;
        try (Stream<Path> files = Files.walk(classes)) {
            Iterator<Path> each =
                    files.filter(file -> file.toString().endsWith(".class"))
                            .filter(Files::isRegularFile)
                            .sorted()
                            .iterator();
            while (each.hasNext()) {
                Path file = each.next();
                byte[] bytes = Files.readAllBytes(file);
                if (new String(bytes, StandardCharsets.ISO_8859_1).contains(JAKARTA)) {
                    return null;
                }
                if (found == null && isForJavaEe(bytes)) {
                    String name = classes.relativize(file).toString();
                    found = name.substring(0, name.length() - ".class".length()).replace('/', '.');
                }
            }
        }
        return found;
    }
}
