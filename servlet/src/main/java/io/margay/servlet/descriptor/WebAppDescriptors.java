package io.margay.servlet.descriptor;

import java.util.Set;

/// The versions of descriptors there have been, and the descriptor of an application that says
/// nothing. Stateless.
public final class WebAppDescriptors {
    /// What an application without web.xml is taken for.
    public static final String LATEST = "6.1";

    static final Set<String> VERSIONS =
            Set.of("2.2", "2.3", "2.4", "2.5", "3.0", "3.1", "4.0", "5.0", "6.0", LATEST);

    /// Names of servlets that the container brings, which applications may map.
    public static final Set<String> CONTAINER_SERVLETS = Set.of("default", "jsp");

    private WebAppDescriptors() {}

    /// Annotations and fragments came after Servlet 2.4, so older applications are complete.
    static boolean predatesAnnotations(String version) {
        return version.equals("2.2") || version.equals("2.3") || version.equals("2.4");
    }

    /// Declares nothing.
    public static WebAppDescriptor empty() {
        Declarations nothing = new Declarations();
        nothing.version = LATEST;
        return new EffectiveDescriptor(nothing, new Problems()).build(null);
    }
}
