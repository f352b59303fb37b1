package io.margay.servlet.jsp;

import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The configuration of a page servlet that no application sees. Immutable.
record JspConfiguration(String name, ServletContext context, Map<String, String> parameters)
        implements ServletConfig {
    @Override
    public String getServletName() {
        return name;
    }

    @Override
    public ServletContext getServletContext() {
        return context;
    }

    @Override
    public @Nullable String getInitParameter(String parameter) {
        return parameters.get(parameter);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return Collections.enumeration(parameters.keySet());
    }
}
