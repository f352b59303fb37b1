package io.margay.valkey.members;

import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.MemberRegistry;
import io.margay.gateway.discovery.MemberRegistryProvider;
import io.margay.valkey.ValkeyBounds;
import io.margay.valkey.ValkeyConnector;
import io.margay.valkey.ValkeyUrl;
import java.time.Duration;

/// Registers in Valkey, or in Redis, whose protocol Valkey has. Stateless.
public final class ValkeyRegistryProvider implements MemberRegistryProvider {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /// Who registers, and who looks, does so with one thread.
    private static final int CONNECTIONS_MAX = 2;

    @Override
    public MemberRegistry open(String url, DiscoveryLimits limits) {
        ValkeyBounds bounds = new ValkeyBounds(TIMEOUT, TIMEOUT, CONNECTIONS_MAX);
        return new ValkeyRegistry(new ValkeyConnector(ValkeyUrl.of(url), bounds), limits);
    }
}
