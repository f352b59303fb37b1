package io.margay.spring.boot;

import io.margay.embed.Margay;

/// Changes the server before it is built: another listener, a handler beside the application, a
/// limit. Beans of this type are applied in their order, after the properties.
@FunctionalInterface
public interface MargayBuilderCustomizer {
    /// @param builder has the application's context and the listener already
    void customize(Margay.Builder builder);
}
