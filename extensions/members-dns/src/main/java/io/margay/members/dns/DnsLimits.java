package io.margay.members.dns;

import java.time.Duration;

/// Bounds of questions to the DNS. Immutable.
///
/// @param timeout for an answer of one server to one question; a server that answers does so within
///   milliseconds
/// @param attempts how often each server is asked; a packet is lost now and then
/// @param aliasesMax aliases (CNAME) that lead to one another; more are a circle
public record DnsLimits(Duration timeout, int attempts, int aliasesMax) {
    public static DnsLimits defaults() {
        return new DnsLimits(Duration.ofSeconds(2), 2, 8);
    }
}
