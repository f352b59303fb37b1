package io.margay.protocol.quic.connection;

import java.util.LinkedHashMap;
import java.util.Map;

/// The tokens for later connections that were used, so that none is twice (RFC 9000 §8.1.4). Of
/// those that it has forgotten it knows how old they were, and takes none that is as old. Guarded
/// by its owner.
final class UsedTokens {
    /// Tokens that are remembered.
    static final int REMEMBERED = 4_096;

    private final LinkedHashMap<Long, Long> used = new LinkedHashMap<>();
    private long forgotten = Long.MIN_VALUE;

    /// Uses a token.
    ///
    /// @return false when it was used before, or may have been
    boolean use(AddressTokens.Token token) {
        if (token.seconds() <= forgotten
                || used.putIfAbsent(token.number(), token.seconds()) != null) {
            return false;
        }
        if (used.size() > REMEMBERED) {
            Map.Entry<Long, Long> first = used.pollFirstEntry();
            forgotten = Math.max(forgotten, first.getValue());
        }
        return true;
    }
}
