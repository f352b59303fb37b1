package io.margay.compat.tomcat.removed;

import org.jspecify.annotations.Nullable;

/// `VariableResolver` of JSP 2.0.
public interface VariableResolver {
    @Nullable Object resolveVariable(String name) throws ELException;
}
