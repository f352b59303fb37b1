package io.margay.tck;

import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.core.spi.LoadableExtension;

/// Tells Arquillian of [MargayContainer]. Stateless.
public final class MargayExtension implements LoadableExtension {
    @Override
    public void register(ExtensionBuilder builder) {
        builder.service(DeployableContainer.class, MargayContainer.class);
    }
}
