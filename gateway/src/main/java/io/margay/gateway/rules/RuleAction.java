package io.margay.gateway.rules;

import io.margay.gateway.proxy.ProxyRules;
import org.jspecify.annotations.Nullable;

/// What a rule does with a request. Immutable.
public sealed interface RuleAction {
    /// Sends it to an upstream.
    ///
    /// @param target what the request asks the peer for; null = what the client asked for. With a
    ///   prefix it takes the prefix's place; with a regular expression it is a template with `$1`
    ///   (of the expression), `%1` (of the last condition) and `%{VARIABLE}`, perhaps with a query
    /// @param raw whether the path is sent as the client spelt it where that is possible
    record Forward(
            String upstream, @Nullable String target, boolean raw, Query query, ProxyRules rules)
            implements RuleAction {
        /// The client's target, unchanged.
        public static Forward to(String upstream, ProxyRules rules) {
            return new Forward(upstream, null, false, Query.KEEP, rules);
        }
    }

    /// Leaves it to the host's routes.
    record Leave() implements RuleAction {}

    /// Leaves it to the host's routes where a rule before has given it another path: they answer
    /// with what they have for that. Else the next rule is asked.
    record Settle() implements RuleAction {}

    /// Answers with a redirection.
    ///
    /// @param status 301, 302, 303, 307, 308
    /// @param target URL or path; made as [Forward#target]
    record Redirect(int status, String target, Query query) implements RuleAction {}

    /// Answers with a text of its own.
    ///
    /// @param status 200 to 599
    /// @param type its media type
    /// @param text made as [Forward#target], but not encoded
    record Say(int status, String type, String text) implements RuleAction {}

    /// Answers with an error; 444 closes the connection without an answer.
    record Refuse(int status) implements RuleAction {}

    /// Gives it another path and query, with which the later rules are asked.
    ///
    /// @param target made as [Forward#target]
    /// @param skip rules after this one that are not asked; below 0 = how many, this one included,
    ///   are asked once more
    /// @param end whether no rules of folders are asked when the request is begun anew
    record Rewrite(String target, Query query, int skip, boolean end) implements RuleAction {
        /// All rules are asked then.
        public Rewrite(String target, Query query, int skip) {
            this(target, query, skip, false);
        }
    }

    /// Goes on with a later rule.
    ///
    /// @param rules after this one that are not asked
    record Skip(int rules) implements RuleAction {}

    /// Answers with a page of the gateway about itself.
    ///
    /// @param worker name of the status worker; empty where there is none
    /// @param changes whether everybody who is let in may change what it shows
    record Page(Kind kind, String worker, boolean changes) implements RuleAction {
        /// Which page.
        public enum Kind {
            /// mod_jk's status worker.
            JK_STATUS,

            /// mod_status.
            SERVER_STATUS,

            /// mod_proxy_balancer's.
            BALANCER_MANAGER
        }
    }

    /// What becomes of the client's query.
    enum Query {
        /// It stays, unless the target has one.
        KEEP,

        /// It follows the target's.
        ADD,

        /// It goes.
        DROP
    }
}
