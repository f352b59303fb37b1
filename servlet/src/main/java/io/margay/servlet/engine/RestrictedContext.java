package io.margay.servlet.engine;

import jakarta.servlet.ServletContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/// The context as a `ServletContextListener` sees it that no descriptor or annotation declares: it
/// may look but not register (Servlet 6.1 §4.4).
final class RestrictedContext {
    private static final Set<String> REFUSED =
            Set.of(
                    "addServlet",
                    "addJspFile",
                    "addFilter",
                    "addListener",
                    "createServlet",
                    "createFilter",
                    "createListener",
                    "declareRoles",
                    "getServletRegistration",
                    "getServletRegistrations",
                    "getFilterRegistration",
                    "getFilterRegistrations",
                    "getSessionCookieConfig",
                    "setSessionTrackingModes",
                    "setSessionTimeout",
                    "getSessionTimeout",
                    "setInitParameter",
                    "getJspConfigDescriptor",
                    "getVirtualServerName",
                    "setRequestCharacterEncoding",
                    "getRequestCharacterEncoding",
                    "setResponseCharacterEncoding",
                    "getResponseCharacterEncoding");

    private RestrictedContext() {}

    static ServletContext of(ServletContext context) {
        return (ServletContext)
                Proxy.newProxyInstance(
                        RestrictedContext.class.getClassLoader(),
                        new Class<?>[] {ServletContext.class},
                        (proxy, method, arguments) -> {
                            if (REFUSED.contains(method.getName())) {
                                throw new UnsupportedOperationException(
                                        method.getName()
                                                + " is closed to listeners added by program");
                            }
                            try {
                                return method.invoke(context, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
