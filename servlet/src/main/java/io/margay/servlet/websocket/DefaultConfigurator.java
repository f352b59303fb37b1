package io.margay.servlet.websocket;

import jakarta.websocket.Extension;
import java.util.ArrayList;
import java.util.List;
import org.glassfish.tyrus.core.TyrusServerEndpointConfigurator;

/// What endpoints do that have no configurator, and what configurators of applications do not
/// decide themselves: Tyrus's answers, with the container's extensions beside those of the
/// endpoint. Stateless; found by the API as a service.
public final class DefaultConfigurator extends TyrusServerEndpointConfigurator {
    /// The container's extensions, while a handshake is answered.
    static final ScopedValue<PerMessageDeflate> INSTALLED = ScopedValue.newInstance();

    @Override
    public List<Extension> getNegotiatedExtensions(
            List<Extension> installed, List<Extension> requested) {
        List<Extension> all = new ArrayList<>(installed);
        boolean own =
                installed.stream().anyMatch(one -> PerMessageDeflate.NAME.equals(one.getName()));
        if (INSTALLED.isBound() && !own) {
            all.add(INSTALLED.get());
        }
        return super.getNegotiatedExtensions(all, requested);
    }
}
