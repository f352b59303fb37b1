package io.margay.gateway.discovery;

import io.margay.gateway.config.MemberSource;
import io.margay.server.Extensions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Makes what looks at a source of members. Stateless.
public final class MemberFinders {
    private MemberFinders() {}

    /// What looks at a source.
    public static MemberFinder of(MemberSource source, DiscoveryLimits limits, LongSupplier nanos) {
        return switch (source.place()) {
            case MemberSource.MemberFile file -> new MemberFile(source, file, limits);
            case MemberSource.Addresses at -> named(source, at.resolvers(), limits);
            case MemberSource.Services of -> named(source, of.resolvers(), limits);
            case MemberSource.Registered at -> registrations(at, limits);
            case MemberSource.Registry at -> registry(source, at, limits, nanos);
            case MemberSource.Kubernetes _, MemberSource.Etcd _ -> watched(source, limits, nanos);
        };
    }

    private static MemberFinder named(
            MemberSource source, List<InetSocketAddress> resolvers, DiscoveryLimits limits) {
        return NameServiceProvider.first()
                .<MemberFinder>map(one -> new NamedMembers(source, one.open(resolvers), limits))
                .orElse(() ->
                        new Finding.Failed(
                                "margay-members-dns is not on the class path", limits.ttlMax()));
    }

    /// Whether members could register; those that have are known to a server at work alone.
    private static MemberFinder registrations(MemberSource.Registered at, DiscoveryLimits limits) {
        return () -> {
            try {
                String _ = new TokenFile(at.tokenFile(), Registrar.TOKEN_CHARS_MIN).read();
                return new Finding.Same(limits.retry());
            } catch (IOException e) {
                return new Finding.Failed(String.valueOf(e.getMessage()), limits.retry());
            }
        };
    }

    private static MemberFinder registry(
            MemberSource source,
            MemberSource.Registry at,
            DiscoveryLimits limits,
            LongSupplier nanos) {
        for (MemberRegistryProvider one :
                ServiceLoader.load(MemberRegistryProvider.class, Extensions.loader())) {
            try {
                return new RegistryMembers(source, at, one.open(at.url(), limits), limits, nanos);
            } catch (IllegalArgumentException e) {
                return () -> new Finding.Failed(String.valueOf(e.getMessage()), limits.ttlMax());
            }
        }
        return () -> new Finding.Failed("margay-valkey is not on the class path", limits.ttlMax());
    }

    private static MemberFinder watched(
            MemberSource source, DiscoveryLimits limits, LongSupplier nanos) {
        for (MemberFinderProvider one :
                ServiceLoader.load(MemberFinderProvider.class, Extensions.loader())) {
            MemberFinder made = one.open(source, limits, nanos);
            if (made != null) {
                return made;
            }
        }
        return () ->
                new Finding.Failed(
                        "margay-members-watch is not on the class path", limits.ttlMax());
    }

    /// Looks at a source once.
    ///
    /// @return what is wrong with it, or null
    public static @Nullable String check(
            MemberSource source, DiscoveryLimits limits, LongSupplier nanos) {
        try (MemberFinder finder = of(source, limits, nanos)) {
            return switch (finder.find()) {
                case Finding.Failed failed -> failed.why();
                case Finding.None none -> none.why();
                case Finding.Members _, Finding.Same _ -> null;
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "was not waited for";
        }
    }

    /// Whether what a source is about is on this machine.
    public static boolean isThere(MemberSource source) {
        return switch (source.place()) {
            case MemberSource.MemberFile file -> Files.exists(file.path());
            case MemberSource.Registered at -> Files.exists(at.tokenFile());
            default -> false;
        };
    }
}
