package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.WebAppDescriptor.JspDef;
import io.margay.servlet.descriptor.WebAppDescriptor.SessionDef;
import java.util.List;
import java.util.Map;
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
        return new WebAppDescriptor(
                LATEST,
                "",
                false,
                false,
                false,
                null,
                null,
                null,
                Map.of(),
                List.of(),
                List.of(),
                Map.of(),
                List.of(),
                List.of(),
                new SessionDef(30, null, null, null, null, null, null, Map.of(), Set.of()),
                Map.of(),
                List.of(),
                List.of(),
                new JspDef(List.of(), List.of()),
                List.of(),
                null,
                Set.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of(),
                WebAppDescriptor.Callbacks.NONE,
                null);
    }
}
