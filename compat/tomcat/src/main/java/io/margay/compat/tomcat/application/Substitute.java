package io.margay.compat.tomcat.application;

import jakarta.servlet.Filter;

/// What stands for a class of Tomcat's that an application names.
sealed interface Substitute {
    /// A filter of ours with the same init-params.
    record OwnFilter(Class<? extends Filter> type) implements Substitute {}

    /// The container's servlet of that name: `default` or `jsp`.
    record ContainerServlet(String servletName) implements Substitute {}

    /// Nothing does; an application that names the class cannot be deployed.
    ///
    /// @param remedy what to do, to follow the name of the class
    record Nothing(String remedy) implements Substitute {}
}
