package io.margay.gateway.discovery;

import io.margay.gateway.config.MemberSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Makes what looks at a source of members. Stateless.
public final class MemberFinders {
    private MemberFinders() {}

    /// What looks at a source.
    public static MemberFinder of(MemberSource source, DiscoveryLimits limits) {
        return switch (source.place()) {
            case MemberSource.MemberFile file -> new MemberFile(source, file, limits);
            case MemberSource.Addresses at -> named(source, at.resolvers(), limits);
            case MemberSource.Services of -> named(source, of.resolvers(), limits);
            case MemberSource.Registered at -> registrations(at, limits);
        };
    }

    private static MemberFinder named(
            MemberSource source, List<InetSocketAddress> resolvers, DiscoveryLimits limits) {
        for (NameServiceProvider one :
                ServiceLoader.load(
                        NameServiceProvider.class, MemberFinders.class.getClassLoader())) {
            return new NamedMembers(source, one.open(resolvers), limits);
        }
        return () ->
                new Finding.Failed("margay-members-dns is not on the class path", limits.ttlMax());
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

    /// Looks at a source once.
    ///
    /// @return what is wrong with it, or null
    public static @Nullable String check(MemberSource source, DiscoveryLimits limits) {
        try {
            return switch (of(source, limits).find()) {
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
            case MemberSource.Addresses _, MemberSource.Services _ -> false;
        };
    }
}
