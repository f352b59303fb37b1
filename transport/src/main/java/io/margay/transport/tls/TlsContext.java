package io.margay.transport.tls;

import io.margay.transport.KeySource;
import io.margay.transport.TlsConfig;
import io.margay.transport.tls.certificate.ServerNames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// What the handshakes of one listener use, by the host name that the client asks for. Thread-safe.
///
/// Nothing is shared between settings that differ: neither sessions nor the keys of tickets, so
/// that no session is resumed where more is asked of clients than where it began.
final class TlsContext {
    private final ServerNames<HandshakeSettings> names;

    /// Whether the name must be known before a handshake begins.
    private final boolean byName;

    private final TlsConfig.@Nullable Challenges challenges;

    /// @param byDefault whether OpenSSL is used where the configuration leaves the choice
    TlsContext(TlsConfig config, boolean byDefault) {
        Map<TlsConfig, HandshakeSettings> made = new HashMap<>();
        TlsConfig others = config.withNamed(List.of());
        HandshakeSettings first = new HandshakeSettings(others, byDefault);
        made.put(others, first);
        List<ServerNames.Entry<HandshakeSettings>> entries = new ArrayList<>();
        for (TlsConfig.Named named : config.named()) {
            HandshakeSettings settings =
                    made.computeIfAbsent(named.tls(), tls -> new HandshakeSettings(tls, byDefault));
            entries.add(new ServerNames.Entry<>(named.names(), settings));
        }
        names = new ServerNames<>(first, entries);
        byName = names.differ();
        challenges = config.challenges();
    }

    /// The settings for a client, by its first message.
    ///
    /// @param records what it has sent so far, which stays there
    /// @return null while the message is not whole
    /// @throws SSLException when it is none
    @Nullable HandshakeSettings choose(ByteBuffer records) throws SSLException {
        TlsConfig.Challenges pending =
                challenges != null && challenges.isPending() ? challenges : null;
        if (!byName && pending == null) {
            return names.of(null);
        }
        ClientHello.Asked asked = ClientHello.asked(records);
        if (asked == null) {
            return null;
        }
        String host = asked.host();
        if (pending != null && asked.challenge() && host != null) {
            KeySource.Keys shown = pending.of(host);
            if (shown != null) {
                return HandshakeSettings.ofChallenge(shown);
            }
        }
        return names.of(host);
    }

    /// Which hosts ask no more than what these settings have met.
    Predicate<@Nullable String> hosts(HandshakeSettings met) {
        return byName
                ? host -> names.of(host).requirements().equals(met.requirements())
                : _ -> true;
    }

    /// Whether OpenSSL makes the handshakes of all names.
    boolean isOpenSsl() {
        return names.all().stream().allMatch(one -> one.openSsl() != null);
    }

    /// Whose TLS it is.
    String provider() {
        return names.of(null).provider();
    }

    /// How many certificates there are, for all names.
    int certificates() {
        return names.all().stream().mapToInt(HandshakeSettings::certificates).sum();
    }

    /// Reads files that have changed. To be called from time to time.
    void check() {
        names.all().forEach(HandshakeSettings::check);
    }

    /// Reads the files again. Where one cannot be used, all stays as it was.
    void reload() {
        names.all().forEach(HandshakeSettings::reload);
    }

    /// Ends what goes on for it.
    void close() {
        names.all().forEach(HandshakeSettings::close);
    }
}
