package io.margay.app.register;

import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.MemberRegistry;
import io.margay.gateway.discovery.MemberRegistryProvider;
import io.margay.gateway.discovery.Registrar;
import io.margay.gateway.discovery.SignedLine;
import io.margay.gateway.discovery.TokenFile;
import io.margay.server.Extensions;
import java.io.IOException;
import java.time.Duration;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// An engine that gateways look into. Used by one thread.
final class RegistryDoor implements Door {
    /// Gateways look once a second: until then they choose a server that has left.
    private static final Duration SEEN = Duration.ofMillis(1_200);

    private final RegisterSettings settings;
    private final String url;
    private final TokenFile token;
    private @Nullable MemberRegistry registry;

    RegistryDoor(RegisterSettings settings, String url) {
        this.settings = settings;
        this.url = url;
        token = new TokenFile(settings.tokenFile(), Registrar.TOKEN_CHARS_MIN);
    }

    @Override
    public void put(boolean draining) throws IOException {
        String line = settings.member() + (draining ? " activation=disabled" : "");
        registry()
                .put(
                        settings.upstream(),
                        settings.name(),
                        SignedLine.of(token.read(), settings.upstream(), settings.name(), line),
                        settings.lease());
    }

    @Override
    public void remove() throws IOException, InterruptedException {
        registry().remove(settings.upstream(), settings.name());
        Thread.sleep(SEEN);
    }

    private MemberRegistry registry() throws IOException {
        MemberRegistry open = registry;
        if (open == null) {
            open = open();
            registry = open;
        }
        return open;
    }

    private MemberRegistry open() throws IOException {
        for (MemberRegistryProvider each :
                ServiceLoader.load(MemberRegistryProvider.class, Extensions.loader())) {
            try {
                return each.open(url, DiscoveryLimits.defaults());
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        throw new IOException("margay-valkey is not on the class path");
    }

    @Override
    public String toString() {
        return "the engine";
    }

    @Override
    public void close() {
        if (registry != null) {
            registry.close();
        }
    }
}
