package io.margay.compat.tomcat.application;

import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.EnvEntry;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterMapping;
import io.margay.servlet.descriptor.WebAppDescriptor.LoginDef;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.descriptor.WebAppDescriptor.SessionDef;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A descriptor in the making, out of another one. Confined to the deploying thread.
final class DescriptorChange {
    private final WebAppDescriptor from;
    private Map<String, String> contextParams;
    private List<ServletDef> servlets;
    private List<FilterDef> filters;
    private List<FilterMapping> filterMappings;
    private SessionDef session;
    private @Nullable LoginDef login;
    private List<EnvEntry> envEntries;

    private DescriptorChange(WebAppDescriptor from) {
        this.from = from;
        contextParams = from.contextParams();
        servlets = from.servlets();
        filters = from.filters();
        filterMappings = from.filterMappings();
        session = from.session();
        login = from.login();
        envEntries = from.envEntries();
    }

    static DescriptorChange of(WebAppDescriptor from) {
        return new DescriptorChange(from);
    }

    DescriptorChange contextParams(Map<String, String> changed) {
        contextParams = changed;
        return this;
    }

    DescriptorChange servlets(List<ServletDef> changed) {
        servlets = List.copyOf(changed);
        return this;
    }

    DescriptorChange filters(List<FilterDef> changed) {
        filters = List.copyOf(changed);
        return this;
    }

    DescriptorChange filterMappings(List<FilterMapping> changed) {
        filterMappings = List.copyOf(changed);
        return this;
    }

    DescriptorChange session(SessionDef changed) {
        session = changed;
        return this;
    }

    DescriptorChange login(@Nullable LoginDef changed) {
        login = changed;
        return this;
    }

    DescriptorChange envEntries(List<EnvEntry> changed) {
        envEntries = List.copyOf(changed);
        return this;
    }

    WebAppDescriptor result() {
        return new WebAppDescriptor(
                from.version(),
                from.displayName(),
                from.metadataComplete(),
                from.distributable(),
                from.denyUncoveredMethods(),
                from.defaultContextPath(),
                from.requestEncoding(),
                from.responseEncoding(),
                contextParams,
                from.listeners(),
                servlets,
                from.servletMappings(),
                filters,
                filterMappings,
                session,
                from.mimeTypes(),
                from.welcomeFiles(),
                from.errorPages(),
                from.jsp(),
                from.securityConstraints(),
                login,
                from.securityRoles(),
                from.localeEncodings(),
                envEntries,
                from.resourceRefs(),
                from.resources(),
                from.callbacks(),
                from.orderedLibs());
    }
}
