package io.margay.server.acme;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// How an authority finds out whether a name is this server's.
public enum AcmeChallengeKind {
    /// By a file at port 80 (RFC 8555 §8.3).
    HTTP_01,

    /// By a handshake at port 443 (RFC 8737).
    TLS_ALPN_01,

    /// By a DNS record (RFC 8555 §8.4): the only one for wildcards.
    DNS_01;

    /// As RFC 8555 writes it.
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Which of them a word means.
    public static AcmeChallengeKind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /// All words.
    public static List<String> words() {
        return Stream.of(values()).map(AcmeChallengeKind::word).toList();
    }
}
