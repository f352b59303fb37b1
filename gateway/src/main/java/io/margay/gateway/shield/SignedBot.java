package io.margay.gateway.shield;

import java.net.URI;
import java.util.List;

/// A bot that signs its requests (RFC 9421, Web Bot Auth), by keys of its own site. Immutable.
///
/// @param name what it is called
/// @param agent where its keys are: `https://HOST`, as its requests say in `Signature-Agent`
/// @param keys thumbprints of the keys that are believed; empty = all that its site has
/// @param budgets how many budgets of a client it has
public record SignedBot(String name, String agent, List<String> keys, int budgets) {
    public static final int BUDGETS_MAX = 10_000;

    public SignedBot {
        keys = List.copyOf(keys);
        URI uri = URI.create(agent);
        boolean plain =
                uri.getHost() != null
                        && ("https".equals(uri.getScheme())
                                || ("http".equals(uri.getScheme())
                                        && uri.getHost().matches("127[.][0-9.]+")))
                        && (uri.getRawPath() == null || uri.getRawPath().isEmpty())
                        && uri.getRawQuery() == null
                        && uri.getRawUserInfo() == null
                        && uri.getRawFragment() == null;
        if (!plain) {
            throw new IllegalArgumentException("an agent is https://HOST, without a path");
        }
        if (budgets < 1 || budgets > BUDGETS_MAX) {
            throw new IllegalArgumentException("a bot has 1 to " + BUDGETS_MAX + " budgets");
        }
    }

    /// Where its keys are.
    URI directory() {
        return URI.create(agent + "/.well-known/http-message-signatures-directory");
    }
}
