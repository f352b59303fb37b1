package io.margay.valkey.shared;

import io.margay.server.shared.SharedLimits;
import io.margay.server.shared.SharedStore;
import io.margay.server.shared.SharedStoreProvider;
import io.margay.valkey.ValkeyBounds;
import io.margay.valkey.ValkeyConnector;
import io.margay.valkey.ValkeyUrl;

/// Shares through Valkey, or through Redis, whose protocol Valkey has. Stateless.
public final class ValkeySharedProvider implements SharedStoreProvider {
    @Override
    public SharedStore open(String url, String group, SharedLimits limits) {
        ValkeyBounds bounds =
                new ValkeyBounds(limits.timeout(), limits.timeout(), limits.connectionsMax());
        ValkeyConnector connector = new ValkeyConnector(ValkeyUrl.of(url), bounds);
        return new ValkeySharedStore(connector, group, limits.sealedBytesMax());
    }
}
