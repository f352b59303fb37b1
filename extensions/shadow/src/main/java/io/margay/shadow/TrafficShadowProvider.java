package io.margay.shadow;

import io.margay.gateway.mirror.CompareConfig;
import io.margay.gateway.mirror.Shadow;
import io.margay.gateway.mirror.ShadowLimits;
import io.margay.gateway.mirror.ShadowProvider;
import java.security.SecureRandom;

/// The comparison of answers, as a service.
public final class TrafficShadowProvider implements ShadowProvider {
    @Override
    public Shadow open(CompareConfig config) {
        return new TrafficShadow(
                config, ShadowLimits.defaults(), new SecureRandom(), System::currentTimeMillis);
    }
}
