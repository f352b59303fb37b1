package io.margay.valkey.sessions;

import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionEngineProvider;
import io.margay.valkey.ValkeyBounds;
import io.margay.valkey.ValkeyConnector;
import io.margay.valkey.ValkeyUrl;
import java.util.Set;

/// `sessions: {store: valkey}`, or `redis`, whose protocol Valkey has. Stateless.
public final class ValkeyProvider implements SessionEngineProvider {
    @Override
    public Set<String> names() {
        return Set.of("valkey", "redis");
    }

    @Override
    public SessionEngine open(EngineSettings settings) {
        if (settings.url() == null) {
            throw new IllegalArgumentException("it needs a \"url\", as in " + ValkeyUrl.EXAMPLE);
        }
        ValkeyBounds bounds =
                new ValkeyBounds(
                        settings.connectTimeout(), settings.timeout(), settings.connectionsMax());
        return new ValkeyEngine(
                new ValkeyConnector(ValkeyUrl.of(settings.url()), bounds), settings.removedFor());
    }
}
