package io.margay.spring.boot;

import org.springframework.boot.web.server.ConfigurableWebServerFactory;

/// A factory that makes a Margay, servlet or reactive.
public interface ConfigurableMargayWebServerFactory extends ConfigurableWebServerFactory {
    /// Adds changes of the server, applied in this order after all that the factory sets itself.
    void addBuilderCustomizers(MargayBuilderCustomizer... customizers);

    /// Whether the fields `X-Forwarded-…` of private addresses are believed.
    void setUseForwardHeaders(boolean useForwardHeaders);

    /// Whether memory that the JVM has freed, and pages of its class archives that nobody reads, go
    /// back to the system when the process rests; they do not unless said.
    void setTrimNativeHeap(boolean trimNativeHeap);
}
