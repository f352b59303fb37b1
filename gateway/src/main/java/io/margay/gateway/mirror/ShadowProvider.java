package io.margay.gateway.mirror;

import io.margay.server.Extensions;
import java.util.ServiceLoader;

/// Knows how answers are compared. A service: implementations are found by
/// `java.util.ServiceLoader`, are loaded only when a mirror compares, and have a public constructor
/// without parameters.
public interface ShadowProvider {
    /// Makes what compares the answers of one mirror.
    Shadow open(CompareConfig config);

    /// The first implementation that is there.
    static ShadowProvider first() {
        return ServiceLoader.load(ShadowProvider.class, Extensions.loader())
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(
                                "nothing compares: margay-shadow is not on the class" + " path"));
    }
}
