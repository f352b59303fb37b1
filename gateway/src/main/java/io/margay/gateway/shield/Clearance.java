package io.margay.gateway.shield;

import io.margay.gateway.protocol.SessionIds;
import io.margay.protocol.http.Authority;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.server.host.StatusResponse;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Challenges clients, and knows by a cookie who has answered. The cookie is bound to the network
/// of the client and to the host. Thread-safe: the secret changes at most once, at the start.
final class Clearance {
    /// The cookie of who has answered.
    static final String COOKIE = "margay-pass";

    /// Cookies of the name that are looked at in one request.
    private static final int COOKIES_MAX = 4;

    private static final int SEE_OTHER = 303;
    private static final int IPV4_NETWORK = 3;
    private static final int IPV6_NETWORK = 6;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");
    private static final Duration KEY_LIFE = Duration.ofHours(1);

    private final ShieldSettings settings;
    private final ShieldLimits limits;
    private final Shield.Means means;

    /// Of the process, where the settings have none.
    private volatile String secret;

    private volatile ClearanceTokens tokens;

    Clearance(ShieldSettings settings, ShieldLimits limits, Shield.Means means) {
        this.settings = settings;
        this.limits = limits;
        this.means = means;
        String own = settings.secret();
        this.secret = own == null ? means.secret() : own;
        this.tokens = tokens(secret);
    }

    private ClearanceTokens tokens(String of) {
        return new ClearanceTokens(
                of.getBytes(StandardCharsets.UTF_8), KEY_LIFE, means.millis(), means.random());
    }

    /// Writes the secret, if it is that of the process; else nothing.
    void write(DataOutput out) throws IOException {
        out.writeUTF(settings.secret() == null ? secret : "");
    }

    /// Goes on with the secret of another process, so that its cookies hold; before the first
    /// request.
    void read(DataInput in) throws IOException {
        String other = in.readUTF();
        if (settings.secret() == null && !other.isEmpty()) {
            secret = other;
            tokens = tokens(other);
        }
    }

    /// Network and host of a client.
    private static byte[] holder(Exchange exchange) {
        byte[] host =
                String.valueOf(Authority.host(exchange.request().target().authority()))
                        .toLowerCase(Locale.ROOT)
                        .getBytes(StandardCharsets.UTF_8);
        byte[] network = network(exchange.remote());
        byte[] holder = Arrays.copyOf(network, network.length + host.length);
        System.arraycopy(host, 0, holder, network.length, host.length);
        return holder;
    }

    /// Its length in the first byte.
    private static byte[] network(SocketAddress remote) {
        if (!(remote instanceof InetSocketAddress inet) || inet.getAddress() == null) {
            return new byte[1];
        }
        byte[] address = inet.getAddress().getAddress();
        int kept = inet.getAddress() instanceof Inet4Address ? IPV4_NETWORK : IPV6_NETWORK;
        byte[] network = new byte[kept + 1];
        network[0] = (byte) kept;
        System.arraycopy(address, 0, network, 1, kept);
        return network;
    }

    /// The cookie of a client that has answered; null when it has none that holds.
    @Nullable String pass(Exchange exchange) {
        List<String> found = SessionIds.find(exchange.request().fields(), "", null, COOKIE, "");
        if (found.isEmpty()) {
            return null;
        }
        byte[] holder = holder(exchange);
        for (String one : found.subList(0, Math.min(found.size(), COOKIES_MAX))) {
            if (tokens.age(one, ClearanceTokens.Kind.PASS, holder, settings.lifetime()) >= 0) {
                return one;
            }
        }
        return null;
    }

    // Challenges

    private static boolean isSafe(Exchange exchange) {
        return switch (exchange.request().method()) {
            case "GET", "HEAD" -> true;
            default -> false;
        };
    }

    /// Whether who has asked shows pages.
    private static boolean takesPages(Exchange exchange) {
        String accept = exchange.request().field("Accept");
        String use = exchange.request().field("Sec-Fetch-Dest");
        return (accept == null || accept.contains("text/html") || accept.contains("*/*"))
                && (use == null || use.equals("document") || use.equals("iframe"));
    }

    /// Answers with a challenge, or, where a page would be lost on who has asked, with the status
    /// alone.
    void challenge(Exchange exchange, int status) throws IOException {
        exchange.fields().set("Cache-Control", "no-store");
        if (!isSafe(exchange)) {
            StatusResponse.plain(
                    exchange,
                    status,
                    "Nothing was done. Load a page of this site, then send this again.");
        } else if (!takesPages(exchange)) {
            StatusResponse.plain(exchange, status, "Load a page of this site first.");
        } else {
            RequestTarget target = exchange.request().target();
            String query = target.rawQuery();
            show(exchange, status, target.rawPath() + (query == null ? "" : "?" + query));
        }
    }

    private void show(Exchange exchange, int status, String target) throws IOException {
        String question = tokens.make(ClearanceTokens.Kind.QUESTION, holder(exchange));
        byte[] page =
                ChallengePage.of(question, settings.proofBits(), target, settings.withoutScript());
        exchange.status(status);
        exchange.fields().set("Content-Type", "text/html;charset=utf-8");
        exchange.fields().set("Content-Security-Policy", ChallengePage.POLICY);
        exchange.fields().set("Referrer-Policy", "same-origin");
        exchange.fields().set("X-Robots-Tag", "noindex");
        exchange.end(page, 0, page.length);
    }

    // Answers

    /// Whether a request brings the answer to a challenge.
    boolean isAnswer(Exchange exchange) {
        return exchange.request().target().rawPath().startsWith(ChallengePage.ANSWER)
                && isSafe(exchange);
    }

    /// Looks at an answer, and leads the client to where it wanted to go.
    ///
    /// @return whether it is right; otherwise the client is challenged again
    boolean answer(Exchange exchange) throws IOException {
        RequestTarget target = exchange.request().target();
        String rest = target.rawPath().substring(ChallengePage.ANSWER.length());
        int first = rest.indexOf('/');
        int second = rest.indexOf('/', first + 1);
        String query = target.rawQuery();
        String onward = second < 0 ? "/" : rest.substring(second);
        if (onward.startsWith("//") || onward.contains("\\")) {
            onward = "/"; // the name of another host would follow
        }
        onward += query == null ? "" : "?" + query;
        exchange.fields().set("Cache-Control", "no-store");
        String question = second > 0 ? rest.substring(0, first) : "";
        if (second < 0 || !isRight(exchange, question, rest.substring(first + 1, second))) {
            show(exchange, 403, onward);
            return false;
        }
        exchange.fields()
                .add(
                        "Set-Cookie",
                        COOKIE
                                + "="
                                + tokens.pass(question, holder(exchange))
                                + "; Path=/; Max-Age="
                                + settings.lifetime().toSeconds()
                                + "; HttpOnly; SameSite=Lax"
                                + (exchange.secure() ? "; Secure" : ""));
        exchange.fields().set("Location", onward);
        StatusResponse.plain(exchange, SEE_OTHER);
        return true;
    }

    private boolean isRight(Exchange exchange, String question, String number) {
        long age =
                tokens.age(
                        question,
                        ClearanceTokens.Kind.QUESTION,
                        holder(exchange),
                        limits.question());
        if (age < 0) {
            return false;
        }
        if (number.equals(ChallengePage.NO_NUMBER)) {
            Duration wait = settings.withoutScript();
            return wait != null && age >= wait.toSeconds();
        }
        return NUMBER.matcher(number).matches()
                && ClearanceTokens.isProof(question, number, settings.proofBits());
    }
}
