package io.margay.gateway.canary;

import io.margay.gateway.config.HashKey;
import io.margay.gateway.protocol.SessionIds;
import io.margay.gateway.proxy.Sessions;
import io.margay.server.exchange.Exchange;
import io.margay.server.forwarded.Networks;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Decides of each request whether the old or the new version gets it, and counts how both answer.
/// Thread-safe.
public final class CanarySides {
    /// Of the cookie by which clients without a session stay with a version.
    static final String COOKIE = "margay-canary";

    private static final int TOKEN_BYTES = 15;
    private static final int TOKEN_CHARS = 20;

    private final Canary canary;
    private final Supplier<String> sessionCookie;
    private final Networks networks;
    private final RandomGenerator random;

    /// @param sessionCookie the name of the cookie of sessions
    /// @param random makes the cookies of new clients; thread-safe
    public CanarySides(Canary canary, Supplier<String> sessionCookie, RandomGenerator random) {
        this.canary = canary;
        this.sessionCookie = sessionCookie;
        this.random = random;
        networks = Networks.of(canary.config().networks());
    }

    /// Whether the new version gets a request. To be asked once for each.
    public boolean takesNew(Exchange exchange) {
        double share = canary.share();
        if (share == 1 || canary.isTakenBack()) {
            return share == 1;
        }
        String asked = asked(exchange);
        if (asked != null) {
            return asked.equals("always");
        }
        if (!canary.config().networks().isEmpty() && networks.includes(exchange.remote())) {
            return true;
        }
        String common = share == 0 ? null : common(exchange); // no cookie without a choice
        if (common == null) {
            return false;
        }
        boolean ofNew = canary.takes(common);
        count(exchange, ofNew);
        return ofNew;
    }

    /// Counts how a request is answered.
    ///
    /// @param ofNew whether the new version has it
    public void count(Exchange exchange, boolean ofNew) {
        exchange.onEnd(() -> {
            int micros = exchange.headMicros();
            if (micros >= 0) { // else the client did not wait for an answer
                canary.answered(ofNew, exchange.status(), micros);
            }
        });
    }

    /// `always` or `never` where the client says so itself; else null.
    private @Nullable String asked(Exchange exchange) {
        CanaryConfig config = canary.config();
        String said = config.header().isEmpty() ? null : exchange.request().field(config.header());
        if (said == null && !config.cookie().isEmpty()) {
            said = SessionIds.cookie(exchange.request().fields(), config.cookie());
        }
        return "always".equals(said) || "never".equals(said) ? said : null;
    }

    /// What the request has in common with those that go to the same version; null = nothing.
    private @Nullable String common(Exchange exchange) {
        HashKey by = canary.config().sticky();
        return by.kind() == HashKey.Kind.SESSION ? token(exchange) : Sessions.common(exchange, by);
    }

    /// That of the gateway's own cookie. A client without it gets one: of its session, so that
    /// requests agree that are sent before it is there, or of chance.
    private String token(Exchange exchange) {
        String known = SessionIds.cookie(exchange.request().fields(), COOKIE);
        if (known != null && isToken(known)) {
            return known;
        }
        String session = SessionIds.cookie(exchange.request().fields(), sessionCookie.get());
        byte[] made = new byte[TOKEN_BYTES];
        if (session == null) {
            random.nextBytes(made);
        } else {
            int route = session.indexOf('.');
            String id = route < 0 ? session : session.substring(0, route);
            made = Arrays.copyOf(canary.token(id), TOKEN_BYTES);
        }
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(made);
        exchange.notes()
                .addAtHead(
                        "Set-Cookie",
                        COOKIE
                                + "="
                                + token
                                + "; Path=/; HttpOnly; SameSite=Lax"
                                + (exchange.secure() ? "; Secure" : ""));
        exchange.notes().ofOneUser();
        return token;
    }

    private static boolean isToken(String text) {
        if (text.length() != TOKEN_CHARS) {
            return false;
        }
        for (int i = 0; i < TOKEN_CHARS; i++) {
            char c = text.charAt(i);
            boolean fits =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || c == '-'
                            || c == '_';
            if (!fits) {
                return false;
            }
        }
        return true;
    }
}
