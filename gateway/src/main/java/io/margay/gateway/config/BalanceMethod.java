package io.margay.gateway.config;

/// By what the next peer is chosen among those that can take a request.
public enum BalanceMethod {
    REQUESTS,
    SESSIONS,
    TRAFFIC,
    BUSYNESS,
    NEXT
}
