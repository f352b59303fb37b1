package io.margay.servlet.deploy;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What applications see of the container: the Jakarta APIs, the run-time part of JSP and EL, the
/// WebSocket implementation, and nothing else of its class path. Parent of every application's
/// class loader. Thread-safe.
final class ContainerClasses extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    /// Packages that the container supplies, whatever the application brings: two copies of one API
    /// would not fit together (Servlet 6.1 §10.7.2).
    private static final List<String> FIRST =
            List.of(
                    "jakarta.servlet.",
                    "jakarta.annotation.",
                    "jakarta.el.",
                    "jakarta.websocket.",
                    "org.glassfish.tyrus.",
                    "org.apache.jasper.",
                    "org.apache.el.",
                    "org.apache.tomcat.",
                    "org.apache.juli.");

    /// Packages below those above that belong to the application nevertheless: JSTL is a library.
    private static final List<String> APPLICATION = List.of("jakarta.servlet.jsp.jstl.");

    /// Packages that an application sees when it does not bring them.
    private static final List<String> VISIBLE =
            List.of(
                    "io.margay.servlet.naming.ApplicationContexts",
                    "io.margay.servlet.naming.java.",
                    "io.margay.servlet.session.engine.", // for engines among shared libraries
                    "io.margay.servlet.websocket.ClientContainers",
                    "io.margay.servlet.websocket.DefaultConfigurator",
                    "io.margay.servlet.websocket.InjectedEndpoints");

    /// Services of which the container has an implementation of its own, beside that of a library:
    /// where the one to be found is named.
    private static final Map<String, String> OWN_SERVICES =
            Map.of(
                    "META-INF/services/jakarta.websocket.ContainerProvider",
                    "io/margay/servlet/websocket/client.service",
                    "META-INF/services/"
                            + "jakarta.websocket.server.ServerEndpointConfig$Configurator",
                    "io/margay/servlet/websocket/configurator.service");

    /// The file by which JNDI finds the initial context of a class loader's threads, and where it
    /// is kept, lest others than applications find it.
    private static final String JNDI = "jndi.properties";

    private static final String JNDI_OURS = "io/margay/servlet/naming/jndi.properties";

    private static final String SERVICES = "META-INF/services/";

    private final ClassLoader container;

    /// Packages that an application sees because of [VendorDescriptors#packages()].
    private final List<String> vendor;

    ContainerClasses(ClassLoader container, VendorDescriptors vendor) {
        super("margay-container", getPlatformClassLoader());
        this.container = container;
        this.vendor = List.copyOf(vendor.packages());
    }

    /// Whether a class or resource name belongs to the container before the application.
    static boolean first(String className) {
        return startsWith(className, FIRST) && !startsWith(className, APPLICATION);
    }

    private boolean visible(String className) {
        return first(className) || startsWith(className, VISIBLE) || startsWith(className, vendor);
    }

    private static boolean startsWith(String name, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a resource is that of a visible class. Services of our own are found where they are,
    /// and their classes are not visible here.
    private boolean shown(String resource) {
        String name = classNameOf(resource);
        return visible(name) && !(resource.startsWith(SERVICES) && name.startsWith("io.margay."));
    }

    /// `a.b.C` of `a/b/C.class`, and of a service file the service's name.
    static String classNameOf(String resource) {
        String path =
                resource.startsWith(SERVICES) ? resource.substring(SERVICES.length()) : resource;
        return path.replace('/', '.');
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (visible(name)) {
            return container.loadClass(name);
        }
        throw new ClassNotFoundException(name);
    }

    @Override
    protected @Nullable URL findResource(String name) {
        if (name.equals(JNDI)) {
            return container.getResource(JNDI_OURS);
        }
        return shown(name) ? container.getResource(OWN_SERVICES.getOrDefault(name, name)) : null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        if (name.equals(JNDI)) {
            return container.getResources(JNDI_OURS);
        }
        if (shown(name)) {
            return Collections.enumeration(
                    new ArrayList<>(
                            Collections.list(
                                    container.getResources(
                                            OWN_SERVICES.getOrDefault(name, name)))));
        }
        return Collections.emptyEnumeration();
    }
}
