package io.margay.app.register;

import io.margay.gateway.discovery.MemberLine;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// As what a server registers itself, and where. Immutable.
///
/// @param upstream of the gateways
/// @param name what the member is called there
/// @param gateways their admin listeners; empty with an engine
/// @param through where the engine is that the gateways look into; null = there is none
/// @param tokenFile the file with the token of the upstream
/// @param trust PEM file of the authorities of gateways with TLS; null = the JDK's
/// @param lease after which the member is gone unless it is renewed
@RecordBuilder
public record RegisterSettings(
        String upstream,
        String name,
        MemberLine member,
        List<URI> gateways,
        @Nullable String through,
        Path tokenFile,
        @Nullable Path trust,
        Duration lease) {
    /// The lease where nothing is said: a server that has ended without a word is gone then.
    public static final Duration LEASE_DEFAULT = Duration.ofSeconds(10);

    public RegisterSettings {
        gateways = List.copyOf(gateways);
    }

    /// Says nothing of the engine, whose URL may have a password.
    @Override
    public String toString() {
        return name + " with " + upstream;
    }

    /// Whether it is the same member for the gateways, whatever else is said of it.
    boolean isSameMember(RegisterSettings other) {
        return upstream.equals(other.upstream)
                && name.equals(other.name)
                && member.url().equals(other.member.url());
    }
}
