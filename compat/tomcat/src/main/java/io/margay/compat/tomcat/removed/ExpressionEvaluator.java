package io.margay.compat.tomcat.removed;

import org.jspecify.annotations.Nullable;

/// `ExpressionEvaluator` of JSP 2.0.
public abstract class ExpressionEvaluator {
    @SuppressWarnings("rawtypes") // As applications that extend it declare it.
    public abstract Expression parseExpression(
            String expression, Class expected, @Nullable FunctionMapper functions)
            throws ELException;

    @SuppressWarnings("rawtypes")
    public abstract @Nullable Object evaluate(
            String expression,
            Class expected,
            @Nullable VariableResolver variables,
            @Nullable FunctionMapper functions)
            throws ELException;
}
