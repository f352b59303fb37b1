package io.margay.gateway.config;

/// Whose definition of balancing, recovery and attempts holds where the two differ.
public enum BalanceDialect {
    /// mod_jk's `lb` worker; also that of `margay.yaml`.
    MOD_JK,

    /// mod_proxy_balancer.
    MOD_PROXY
}
