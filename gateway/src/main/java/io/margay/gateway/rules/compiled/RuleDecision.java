package io.margay.gateway.rules.compiled;

import io.margay.gateway.login.LoginAnswer;
import io.margay.gateway.login.LoginCheck;
import io.margay.gateway.rules.RuleAction;
import io.margay.protocol.fastcgi.CgiScript;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.PercentEncoding;
import org.jspecify.annotations.Nullable;

/// What the rules of a host say about a request. Immutable.
public sealed interface RuleDecision {
    /// No rule takes it: the host's routes answer.
    RuleDecision ROUTES = new Routes();

    /// The client takes none of several variants.
    RuleDecision NOT_ACCEPTABLE = new Refuse(406);

    /// The host's routes answer.
    record Routes() implements RuleDecision {}

    /// It goes to an upstream.
    ///
    /// @param target path and query to send, encoded
    /// @param script what a program there runs, where the target does not say so; null = it does
    record Forward(RuleAction.Forward rule, String target, @Nullable CgiScript script)
            implements RuleDecision {
        /// The target says all.
        public Forward(RuleAction.Forward rule, String target) {
            this(rule, target, null);
        }

        /// The name of the upstream, as in its configuration.
        public String upstream() {
            return rule.upstream();
        }
    }

    /// It is redirected.
    ///
    /// @param location a URL
    record Redirect(int status, String location) implements RuleDecision {}

    /// It is refused.
    record Refuse(int status) implements RuleDecision {}

    /// The client is to log in: 401.
    ///
    /// @param field the `WWW-Authenticate` field
    record Challenge(String field) implements RuleDecision {}

    /// The client gets what a service says.
    record Answer(LoginAnswer answer) implements RuleDecision {}

    /// Who sends it has to be found out first; then it is asked again.
    record Verify(LoginCheck check) implements RuleDecision {}

    /// It is begun anew for another path, as if the client had asked for that; in folders alone.
    ///
    /// @param target path and query, encoded; without a slash at the beginning it is that of a file
    ///   in the folder
    /// @param end whether rules of folders are not asked about that
    record Again(String target, boolean end) implements RuleDecision {}

    /// The host's routes answer with what they have for another path.
    record Other(CanonicalPath path) implements RuleDecision {}

    /// Its method is not served there.
    ///
    /// @param allow those that are
    record NotAllowed(String allow) implements RuleDecision {}

    /// It is answered by a page about the gateway.
    record Page(RuleAction.Page page) implements RuleDecision {}

    /// Whether it keeps a client from what it has asked for.
    ///
    /// @param decision null = nobody minds
    static boolean isClosed(@Nullable RuleDecision decision) {
        return decision instanceof Refuse
                || decision instanceof NotAllowed
                || decision instanceof Challenge
                || decision instanceof Answer
                || decision instanceof Verify;
    }

    /// Whether sections have let a request in: what rules say holds, or a page takes its place.
    ///
    /// @param outcome of the rules
    static boolean letsIn(RuleDecision decision, RuleSet.Outcome outcome) {
        return decision.equals(outcome.decision())
                || (decision instanceof Other && outcome.decision().equals(ROUTES))
                || (decision instanceof Forward
                        && (outcome.decision().equals(ROUTES)
                                || outcome.decision() instanceof Forward));
    }

    /// What the routes have at another path.
    static RuleDecision other(String path) {
        return new Other(CanonicalPath.of(PercentEncoding.path(path)));
    }
}
