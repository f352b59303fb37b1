package io.margay.gateway.shield;

import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a host is shielded. Immutable.
///
/// @param budget what clients may cost; null = anything
/// @param challenge who is challenged
/// @param proofBits leading zero bits of what a script has to find
/// @param withoutScript how long who has no script waits before it may go on; null = it may not
/// @param lifetime how long a client that has answered is let pass
/// @param secret of which keys are made, shared by servers beside each other; null = of chance
/// @param bots what becomes of bots
/// @param networks of clients that it is not about
/// @param paths that it is not about
/// @param credentials fields and cookies with which requests are let pass
/// @param logOnly whether nobody is kept out: what would be is counted
@RecordBuilder
public record ShieldSettings(
        @Nullable Budget budget,
        Challenge challenge,
        int proofBits,
        @Nullable Duration withoutScript,
        Duration lifetime,
        @Nullable String secret,
        Bots bots,
        List<String> networks,
        List<PathMatch> paths,
        List<LimitKey> credentials,
        boolean logOnly) {
    /// Beyond it a browser needs minutes.
    public static final int PROOF_BITS_MAX = 24;

    public static final int SECRET_CHARS_MIN = 16;

    public ShieldSettings {
        networks = List.copyOf(networks);
        paths = List.copyOf(paths);
        credentials = List.copyOf(credentials);
        if (proofBits < 0 || proofBits > PROOF_BITS_MAX) {
            throw new IllegalArgumentException("a proof has 0 to " + PROOF_BITS_MAX + " bits");
        }
        if (secret != null && secret.length() < SECRET_CHARS_MIN) {
            throw new IllegalArgumentException(
                    "the secret must have " + SECRET_CHARS_MIN + " characters or more");
        }
        if (lifetime.toSeconds() < 1) {
            throw new IllegalArgumentException("the lifetime must be a second or more");
        }
        for (LimitKey key : credentials) {
            if (!(key instanceof LimitKey.Header) && !(key instanceof LimitKey.Cookie)) {
                throw new IllegalArgumentException(
                        "credentials are header:NAME, cookie:NAME or session");
            }
        }
    }

    /// Without the secret.
    @Override
    public String toString() {
        return "ShieldSettings[budget="
                + budget
                + ", challenge="
                + challenge
                + ", secret="
                + (secret == null ? "none" : "hidden")
                + "]";
    }

    /// What becomes of bots.
    ///
    /// @param known that are verified, and then always let pass
    /// @param resolvers name servers; empty = those of the system
    /// @param impostors what becomes of clients that claim to be such a bot and are not
    /// @param signed that sign their requests, and have budgets of their own
    /// @param models what becomes of crawlers that collect texts for models
    /// @param robots what crawlers are told by; null = the host answers itself
    public record Bots(
            List<KnownBot> known,
            List<InetSocketAddress> resolvers,
            Impostors impostors,
            List<SignedBot> signed,
            Models models,
            @Nullable RobotsFile robots) {
        public Bots {
            known = List.copyOf(known);
            resolvers = List.copyOf(resolvers);
            signed = List.copyOf(signed);
        }
    }

    /// A robots.txt.
    ///
    /// @param disobedient what becomes of crawlers that ask for what it forbids them
    public record RobotsFile(Path file, Disobedient disobedient) {}

    /// What becomes of crawlers that ask for what robots.txt forbids them.
    public enum Disobedient {
        /// They are counted, and treated as any other.
        PASS,

        /// They get 403.
        REFUSE
    }

    /// What becomes of crawlers that collect texts for models.
    public enum Models {
        /// They are treated as any other.
        PASS,

        /// They get 403.
        REFUSE,

        /// They get 402.
        PAYMENT
    }

    /// What the requests of a client may cost in processor time, or in time of a member that is
    /// waited for.
    ///
    /// @param cost in a window
    /// @param by what is one client: an address or a network
    /// @param cheap requests for paths that cost less on average pass also when it is used up
    public record Budget(Duration cost, Duration window, LimitKey by, Duration cheap) {
        public Budget {
            if (!cost.isPositive() || !window.isPositive()) {
                throw new IllegalArgumentException("a budget must be positive");
            }
            if (!(by instanceof LimitKey.Address) && !(by instanceof LimitKey.Network)) {
                throw new IllegalArgumentException("a budget is by address or network");
            }
        }
    }

    /// Who is challenged, if it has not answered yet.
    public enum Challenge {
        /// Nobody: who is over its budget is refused.
        NEVER,

        /// Who is over its budget.
        OVER_BUDGET,

        /// Who does not look like a browser, too.
        UNKNOWN,

        /// All but verified bots.
        ALL
    }

    /// What becomes of clients that claim to be a bot and are not.
    public enum Impostors {
        /// They are treated as any other.
        PASS,

        /// They are challenged.
        CHALLENGE,

        /// They get 403.
        REFUSE,

        /// They get a response byte by byte.
        TARPIT
    }
}
