package io.margay.gateway.config;

/// Whose definition of who may be chosen, of recovery, of attempts and of the statuses of failures
/// applies where they differ. Among those that may be chosen the method decides ([BalanceMethod]).
public enum BalanceDialect {
    /// Margay's own, the default of `margay.yaml`: by now as mod_jk's.
    MARGAY("margay"),

    /// mod_jk's `lb` worker.
    MOD_JK("mod_jk"),

    /// mod_proxy_balancer.
    MOD_PROXY("mod_proxy"),

    /// Margay's own, with nginx's statuses.
    NGINX("nginx");

    private final String word;

    BalanceDialect(String word) {
        this.word = word;
    }

    /// Its word in `margay.yaml`.
    public String word() {
        return word;
    }

    /// Whether peers in error recover, requests are tried again and members are named as with
    /// mod_jk.
    public boolean likeModJk() {
        return this != MOD_PROXY;
    }
}
