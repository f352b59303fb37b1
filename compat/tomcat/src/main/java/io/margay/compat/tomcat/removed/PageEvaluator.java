package io.margay.compat.tomcat.removed;

import jakarta.el.ELContext;
import jakarta.el.ExpressionFactory;
import jakarta.el.ValueExpression;
import jakarta.servlet.jsp.JspContext;
import jakarta.servlet.jsp.JspFactory;
import jakarta.servlet.jsp.PageContext;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/// Evaluates the expressions of JSP 2.0 by today's expression language. Confined to the thread of
/// the page.
final class PageEvaluator extends ExpressionEvaluator {
    private final JspContext page;

    PageEvaluator(JspContext page) {
        this.page = page;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Expression parseExpression(
            String expression, Class expected, @Nullable FunctionMapper functions)
            throws ELException {
        try {
            ExpressionFactory factory = factory();
            ELContext context = context(null, functions);
            ValueExpression parsed = factory.createValueExpression(context, expression, expected);
            return new Expression() {
                @Override
                public @Nullable Object evaluate(VariableResolver variables) throws ELException {
                    try {
                        return parsed.getValue(context(variables, functions));
                    } catch (jakarta.el.ELException e) {
                        throw new ELException(e);
                    }
                }
            };
        } catch (jakarta.el.ELException e) {
            throw new ELParseException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    @SuppressWarnings("rawtypes")
    public @Nullable Object evaluate(
            String expression,
            Class expected,
            @Nullable VariableResolver variables,
            @Nullable FunctionMapper functions)
            throws ELException {
        try {
            ELContext context = context(variables, functions);
            return factory().createValueExpression(context, expression, expected).getValue(context);
        } catch (jakarta.el.ELException e) {
            throw new ELException(e);
        }
    }

    private ExpressionFactory factory() {
        return page instanceof PageContext servletPage
                ? JspFactory.getDefaultFactory()
                        .getJspApplicationContext(servletPage.getServletContext())
                        .getExpressionFactory()
                : ExpressionFactory.newInstance();
    }

    private ELContext context(
            @Nullable VariableResolver variables, @Nullable FunctionMapper functions) {
        return new PageExpressions(page.getELContext(), variables, functions);
    }

    /// A variable of a page, or of its implicit objects.
    static @Nullable Object variable(JspContext page, String name) {
        ELContext context = page.getELContext();
        return context.getELResolver().getValue(context, null, name);
    }

    /// The context of a page, with other variables and functions before its own.
    private static final class PageExpressions extends ELContext {
        private final ELContext page;
        private final jakarta.el.ELResolver resolver;
        private final jakarta.el.@Nullable FunctionMapper functions;

        PageExpressions(
                ELContext page,
                @Nullable VariableResolver variables,
                @Nullable FunctionMapper functions) {
            this.page = page;
            jakarta.el.CompositeELResolver all = new jakarta.el.CompositeELResolver();
            if (variables != null) {
                all.add(new Variables(variables));
            }
            all.add(page.getELResolver());
            resolver = all;
            this.functions =
                    functions == null
                            ? page.getFunctionMapper()
                            : new jakarta.el.FunctionMapper() {
                                @Override
                                public @Nullable Method resolveFunction(
                                        String prefix, String name) {
                                    return functions.resolveFunction(prefix, name);
                                }
                            };
        }

        @Override
        public jakarta.el.ELResolver getELResolver() {
            return resolver;
        }

        @Override
        public jakarta.el.@Nullable FunctionMapper getFunctionMapper() {
            return functions;
        }

        @Override
        public jakarta.el.@Nullable VariableMapper getVariableMapper() {
            return page.getVariableMapper();
        }

        @Override
        public @Nullable Object getContext(Class<?> key) {
            return page.getContext(key);
        }
    }

    /// The variables that an application resolves itself.
    private static final class Variables extends jakarta.el.ELResolver {
        private final VariableResolver resolver;

        Variables(VariableResolver resolver) {
            this.resolver = resolver;
        }

        @Override
        public @Nullable Object getValue(
                ELContext context, @Nullable Object base, @Nullable Object property) {
            if (base != null || property == null) {
                return null;
            }
            try {
                Object value = resolver.resolveVariable(property.toString());
                if (value != null) {
                    context.setPropertyResolved(null, property);
                }
                return value;
            } catch (ELException e) {
                throw new jakarta.el.ELException(e);
            }
        }

        @Override
        public @Nullable Class<?> getType(
                ELContext context, @Nullable Object base, @Nullable Object property) {
            return null;
        }

        @Override
        public void setValue(
                ELContext context,
                @Nullable Object base,
                @Nullable Object property,
                @Nullable Object value) {
            // Variables are read only.
        }

        @Override
        public boolean isReadOnly(
                ELContext context, @Nullable Object base, @Nullable Object property) {
            return true;
        }

        @Override
        public Class<?> getCommonPropertyType(ELContext context, @Nullable Object base) {
            return Object.class;
        }
    }
}
