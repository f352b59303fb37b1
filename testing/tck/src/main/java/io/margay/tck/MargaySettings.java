package io.margay.tck;

import org.jboss.arquillian.container.spi.client.container.ContainerConfiguration;

/// What arquillian.xml says of a container. Confined to the thread of the tests.
public final class MargaySettings implements ContainerConfiguration {
    private boolean secure;

    /// Whether the server speaks TLS and asks for a client certificate.
    public boolean isSecure() {
        return secure;
    }

    public void setSecure(boolean secure) {
        this.secure = secure;
    }

    @Override
    public void validate() {
        // Every value is allowed.
    }
}
