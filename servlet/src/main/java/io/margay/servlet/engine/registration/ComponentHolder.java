package io.margay.servlet.engine.registration;

import jakarta.servlet.Registration;
import jakarta.servlet.ServletContext;
import java.util.Enumeration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One registered servlet or filter: what the registrations of both have in common. Written by the
/// starting thread only.
abstract sealed class ComponentHolder<T> implements Registration.Dynamic
        permits FilterHolder, ServletHolder {
    final AppRuntime runtime;
    final String name;
    final InitParameters parameters;
    @Nullable String className;
    @Nullable Class<? extends T> type;

    /// What the application gave, if it did, or what was made at the start.
    @Nullable T instance;

    private boolean asyncSupported;

    ComponentHolder(
            AppRuntime runtime,
            String name,
            @Nullable String className,
            Map<String, String> parameters,
            boolean asyncSupported) {
        this.runtime = runtime;
        this.name = name;
        this.className = className;
        this.parameters = new InitParameters(parameters);
        this.asyncSupported = asyncSupported;
    }

    public final void instance(T given) {
        instance = given;
        className = given.getClass().getName();
    }

    public final void type(Class<? extends T> given) {
        type = given;
        className = given.getName();
    }

    /// Gives a preliminary declaration, whose class is missing, its class; false when it has one.
    public boolean complete(@Nullable String missing) {
        if (className != null) {
            return false;
        }
        className = missing;
        return true;
    }

    public final boolean asyncSupported() {
        return asyncSupported;
    }

    /// Allows it what an application has to ask for: it is the container's own.
    final void containerOwned() {
        asyncSupported = true;
    }

    // What FilterConfig and ServletConfig have in common

    public final ServletContext getServletContext() {
        return runtime.context();
    }

    // Registration.Dynamic

    @Override
    public final String getName() {
        return name;
    }

    @Override
    public final @Nullable String getClassName() {
        return className;
    }

    @Override
    public final boolean setInitParameter(String parameter, String value) {
        runtime.requireConfigurable();
        return parameters.set(parameter, value);
    }

    @Override
    public @Nullable String getInitParameter(String parameter) {
        return parameters.get(parameter);
    }

    public final Enumeration<String> getInitParameterNames() {
        return parameters.names();
    }

    @Override
    public final Set<String> setInitParameters(Map<String, String> added) {
        runtime.requireConfigurable();
        return parameters.setAll(added);
    }

    @Override
    public final Map<String, String> getInitParameters() {
        return parameters.map();
    }

    @Override
    public final void setAsyncSupported(boolean supported) {
        runtime.requireConfigurable();
        asyncSupported = supported;
    }
}
