package io.margay.compat.tomcat.removed;

import org.jspecify.annotations.Nullable;

/// `Expression` of JSP 2.0.
public abstract class Expression {
    public abstract @Nullable Object evaluate(VariableResolver variables) throws ELException;
}
