package io.margay.app.register;

import io.margay.gateway.discovery.MemberLine;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// As what a server registers itself, and where. Immutable.
///
/// @param upstream of the gateways
/// @param name what the member is called there
/// @param gateways their admin listeners
/// @param tokenFile the file with the token of the upstream
/// @param trust PEM file of the authorities of gateways with TLS; null = the JDK's
/// @param lease after which the member is gone unless it is renewed
public record RegisterSettings(
        String upstream,
        String name,
        MemberLine member,
        List<URI> gateways,
        Path tokenFile,
        @Nullable Path trust,
        Duration lease) {
    /// The lease where nothing is said: a server that has ended without a word is gone then.
    public static final Duration LEASE_DEFAULT = Duration.ofSeconds(10);

    public RegisterSettings {
        gateways = List.copyOf(gateways);
    }

    /// Whether it is the same member for the gateways, whatever else is said of it.
    boolean isSameMember(RegisterSettings other) {
        return upstream.equals(other.upstream)
                && name.equals(other.name)
                && member.url().equals(other.member.url());
    }
}
