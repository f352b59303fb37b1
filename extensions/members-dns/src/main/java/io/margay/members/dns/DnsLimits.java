package io.margay.members.dns;

import java.time.Duration;

/// Bounds of questions to the DNS. Immutable.
///
/// @param timeout for an answer of one server to one question
/// @param attempts how often each server is asked
/// @param aliasesMax aliases (CNAME) that lead to one another
public record DnsLimits(Duration timeout, int attempts, int aliasesMax) {
    public static DnsLimits defaults() {
        return new DnsLimits(Duration.ofSeconds(2), 2, 8);
    }
}
