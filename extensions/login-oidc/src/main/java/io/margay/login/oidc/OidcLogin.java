package io.margay.login.oidc;

import com.nimbusds.oauth2.sdk.util.URLUtils;
import io.margay.gateway.login.LoginCookies;
import io.margay.gateway.login.LoginFindings;
import io.margay.gateway.login.LoginResult;
import io.margay.gateway.login.LoginUser;
import io.margay.gateway.login.OpenIdClient;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.LogRate;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Logs users in at one provider: sends browsers there, takes them back, and knows them by their
/// cookies from then on. Thread-safe: loops ask, and threads of its own wait for the provider.
final class OidcLogin {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final String STATE = LoginCookies.STATE;
    private static final int TARGET_CHARACTERS_MAX = 1500;

    private final OpenIdClient client;
    private final Provider provider;
    private final CodeLogin codes;
    private final OidcCookies cookies;
    private final Ends ends;
    private final Renewals renewals;
    private final ProviderThreads threads;
    private final OidcLimits limits;
    private final InstantSource clock;
    private final LoginCounters counters;
    private final ProviderLogout logout;
    private final SecureRandom random = new SecureRandom();
    private final LogRate rate = new LogRate(Duration.ofSeconds(10), System::nanoTime);

    OidcLogin(
            Provider provider,
            CodeLogin codes,
            OidcCookies cookies,
            Ends ends,
            Renewals renewals,
            ProviderThreads threads) {
        counters = provider.counters;
        client = provider.client;
        this.provider = provider;
        this.codes = codes;
        this.cookies = cookies;
        this.ends = ends;
        this.renewals = renewals;
        this.threads = threads;
        limits = provider.limits;
        clock = provider.clock;
        logout = new ProviderLogout(client, provider, ends, threads, limits, clock);
    }

    /// What is known of who sends a request.
    LoginResult find(Exchange exchange) {
        LoginFindings findings = LoginFindings.of(exchange);
        LoginResult known = findings.known(client);
        if (known != null) {
            return known;
        }
        BrowserRequest request = BrowserRequest.of(client, exchange);
        if (request == null) {
            return new LoginResult.Refused(400);
        }
        OidcSession session = session(request);
        LoginResult result;
        if (session == null) {
            result = begin(request);
        } else if (isToBeRenewed(session)) {
            result =
                    new LoginResult.Unknown(
                            threads.check(exchange, client, () -> renewed(request, session)));
        } else {
            result = letIn(request, session, false);
        }
        if (result instanceof LoginResult.Right) {
            findings.found(client, result);
        }
        return result;
    }

    /// What a path of its own answers.
    LoginResult own(String path, Exchange exchange) {
        LoginFindings findings = LoginFindings.of(exchange);
        LoginResult known = findings.known(this);
        if (known != null) {
            return known;
        }
        BrowserRequest request = BrowserRequest.of(client, exchange);
        if (request == null) {
            return new LoginResult.Refused(400);
        }
        LoginResult result;
        if (path.equals(client.paths().redirectPath())) {
            result = back(request);
        } else if (path.equals(client.paths().logout())) {
            result = leave(request, client.paths().afterLogout());
        } else {
            result = logout.byProvider(exchange, this);
        }
        if (!(result instanceof LoginResult.Unknown)) {
            findings.found(this, result);
        }
        return result;
    }

    /// The login of a request that holds; null when there is none.
    private @Nullable OidcSession session(BrowserRequest request) {
        OidcSession session = cookies.session(request::login);
        if (session == null || ends.isEnded(session)) {
            return null;
        }
        long now = clock.millis();
        long idle = client.session().idle().toMillis();
        boolean over =
                now - session.times().created() >= client.session().lifetime().toMillis()
                        || (idle > 0 && now - session.times().seen() >= idle);
        return over ? null : session;
    }

    private boolean isToBeRenewed(OidcSession session) {
        return session.times().renew() > 0
                && clock.millis() >= session.times().renew()
                && !session.refreshToken().isEmpty()
                && !provider.isDown();
    }

    /// Asks the provider whether a login still holds. Waits.
    private Supplier<LoginResult> renewed(BrowserRequest request, OidcSession before) {
        try {
            OidcSession now = renewals.renew(before, () -> renew(before));
            return () -> letIn(request, now, true);
        } catch (ProviderDownException _) {
            return () -> letIn(request, before, false); // It holds as long as it was to hold.
        } catch (LoginRefusedException e) {
            counters.refusals.increment();
            LOG.log(Level.DEBUG, "a login has ended: {0}", e.getMessage());
            ends.endLogin(before.id(), clock.millis());
            return () -> begin(request);
        }
    }

    private OidcSession renew(OidcSession before)
            throws ProviderDownException, LoginRefusedException {
        OidcSession now = codes.renew(before);
        counters.renewals.increment();
        return now;
    }

    /// @param changed whether the login is another one than the cookie says
    private LoginResult letIn(BrowserRequest request, OidcSession session, boolean changed) {
        Exchange exchange = request.exchange();
        long now = clock.millis();
        long idle = client.session().idle().toMillis();
        boolean used = idle > 0 && now - session.times().seen() > idle / 10;
        if (changed || used) {
            List<String> values = cookies.of(session.seen(now));
            if (values != null) {
                request.setLogin(values)
                        .forEach(set -> exchange.notes().addAtHead("Set-Cookie", set));
            }
        }
        OpenIdClient.Claims claims = client.claims();
        if (!claims.fields().isEmpty() || claims.passed() != null) {
            exchange.replaceFields(with(exchange.request().fields(), session));
        }
        return new LoginResult.Right(
                new LoginUser(
                        session.user(),
                        new HashSet<>(session.roles()),
                        true,
                        LoginUser.OPENID,
                        session.claims()));
    }

    /// The client's own are gone by now: they are reserved.
    private Fields with(Fields received, OidcSession session) {
        Fields.Builder made = new Fields.Builder();
        for (int i = 0; i < received.size(); i++) {
            made.add(received.name(i), received.value(i));
        }
        client.claims()
                .fields()
                .forEach((field, claim) -> {
                    String value =
                            claim.equals(client.claims().user())
                                    ? session.user()
                                    : String.join(
                                            ",", session.claims().getOrDefault(claim, List.of()));
                    add(field, value, made);
                });
        TokenClaims.passed(
                client.claims(),
                session.claims(),
                (field, value) -> {
                    boolean said =
                            client.claims().fields().keySet().stream()
                                    .anyMatch(field::equalsIgnoreCase);
                    if (!said) {
                        add(field, value, made);
                    }
                });
        return made.build();
    }

    private static void add(String field, String value, Fields.Builder to) {
        if (!value.isEmpty() && value.chars().noneMatch(TokenClaims::isControl)) {
            byte[] octets = value.getBytes(StandardCharsets.UTF_8);
            to.add(field, new String(octets, StandardCharsets.ISO_8859_1));
        }
    }

    /// Sends a browser to the provider, if it opens a page.
    private LoginResult begin(BrowserRequest request) {
        if (!client.redirects() || !request.isNavigation()) {
            return Answers.unauthorized();
        }
        if (request.isElsewhere()) {
            return Answers.redirect(request.url(request.target()), List.of());
        }
        Provider.Known known = provider.fresh();
        if (known != null) {
            return toProvider(request, known);
        }
        return new LoginResult.Unknown(
                threads.check(
                        request.exchange(),
                        client,
                        () -> {
                            try {
                                Provider.Known found = provider.get();
                                return () -> toProvider(request, found);
                            } catch (ProviderDownException _) {
                                return () -> Answers.unavailable(limits, List.of());
                            }
                        }));
    }

    private LoginResult toProvider(BrowserRequest request, Provider.Known known) {
        String slot = Integer.toString(random.nextInt(limits.loginsAtOnce()));
        String target = request.target();
        LoginState state =
                new LoginState(
                        slot + text(16),
                        text(16),
                        text(32),
                        target.length() > TARGET_CHARACTERS_MAX ? "/" : target,
                        clock.millis());
        String cookie =
                request.setCookie(STATE + slot, cookies.of(state), limits.loginFor().toSeconds());
        return Answers.redirect(codes.location(known, state, request.redirect()), List.of(cookie));
    }

    private String text(int octets) {
        byte[] bytes = new byte[octets];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// Takes a browser back from the provider.
    private LoginResult back(BrowserRequest request) {
        Map<String, List<String>> given =
                URLUtils.parseParameters(
                        Objects.requireNonNullElse(
                                request.exchange().request().target().rawQuery(), ""));
        if (given.containsKey("logout")) { // as mod_auth_openidc has it
            String to = Objects.requireNonNullElse(one(given, "logout"), "");
            return to.equals("backchannel")
                    ? logout.byProvider(request.exchange(), this)
                    : leave(request, request.isOwn(to) ? to : client.paths().afterLogout());
        }
        if (!request.exchange().request().method().equals("GET")) {
            return Answers.text(405, "Users come back by GET.", List.of());
        }
        String state = one(given, "state");
        LoginState known = state == null ? null : state(request, state);
        if (state == null || known == null) {
            return Answers.text(
                    400,
                    "This login has ended, or was not begun in this browser. Open the page again.",
                    List.of());
        }
        List<String> gone = request.without(STATE + state.charAt(0));
        long now = clock.millis();
        if (!ends.use("state " + state, known.createdMillis(), now)) {
            return Answers.text(400, "This login has been used. Open the page again.", gone);
        }
        String error = one(given, "error");
        String code = one(given, "code");
        if (error != null || code == null || code.isBlank()) {
            return refused(error == null ? "there is no code" : error, gone);
        }
        String issuer = one(given, "iss");
        boolean twice = given.getOrDefault("iss", List.of()).size() > 1;
        return new LoginResult.Unknown(
                threads.check(
                        request.exchange(),
                        this,
                        () ->
                                twice
                                        ? () -> refused("it has two issuers", gone)
                                        : loggedIn(request, known, code, issuer, gone)));
    }

    private @Nullable LoginState state(BrowserRequest request, String state) {
        if (state.isEmpty() || !Character.isDigit(state.charAt(0))) {
            return null;
        }
        String cookie = request.cookie(STATE + state.charAt(0));
        LoginState known = cookie == null ? null : cookies.state(cookie);
        boolean same =
                known != null
                        && MessageDigest.isEqual(
                                known.state().getBytes(StandardCharsets.UTF_8),
                                state.getBytes(StandardCharsets.UTF_8))
                        && clock.millis() - known.createdMillis() < limits.loginFor().toMillis();
        return same ? known : null;
    }

    /// Has the provider say who has come back. Waits.
    ///
    /// @param issuer that the answer names (RFC 9207), or null
    private Supplier<LoginResult> loggedIn(
            BrowserRequest request,
            LoginState state,
            String code,
            @Nullable String issuer,
            List<String> gone) {
        try {
            Provider.Known known = provider.get();
            boolean named = known.metadata().supportsAuthorizationResponseIssuerParam();
            if (issuer == null ? named : !issuer.equals(known.metadata().getIssuer().getValue())) {
                return () -> refused("the answer is from another provider", gone);
            }
            OidcSession session = codes.login(code, state, request.redirect(), text(16));
            List<String> values = cookies.of(session);
            if (values == null) {
                LOG.log(
                        rate.isDue() ? Level.WARNING : Level.DEBUG,
                        "{0} cannot log in: roles, claims and refresh token are too long for {1}"
                                + " cookies of {2} characters (cookiesMax, cookieBytesMax)",
                        session.user(),
                        limits.cookiesMax(),
                        limits.cookieBytesMax());
                return () -> Answers.text(500, "The login is too large.", gone);
            }
            counters.logins.increment();
            List<String> set = new ArrayList<>(gone);
            set.addAll(request.setLogin(values));
            return () -> Answers.redirect(request.url(state.target()), set);
        } catch (ProviderDownException _) {
            return () -> Answers.unavailable(limits, gone);
        } catch (LoginRefusedException e) {
            return () -> refused(String.valueOf(e.getMessage()), gone);
        }
    }

    /// The client learns no more than that.
    private LoginResult refused(String why, List<String> gone) {
        counters.refusals.increment();
        LOG.log(
                rate.isDue() ? Level.WARNING : Level.DEBUG,
                "somebody could not log in at {0}: {1}",
                client.id(),
                why.replaceAll("[^ -~]", "?"));
        boolean down = why.equals("temporarily_unavailable") || why.equals("server_error");
        return down
                ? Answers.unavailable(limits, gone)
                : Answers.text(403, "The provider does not let you in.", gone);
    }

    /// Ends a login, here and at the provider.
    ///
    /// @param to where the user comes to then
    private LoginResult leave(BrowserRequest request, String to) {
        String method = request.exchange().request().method();
        if (!method.equals("GET") && !method.equals("POST")) {
            return Answers.text(405, "Users log out by GET or POST.", List.of());
        }
        OidcSession session = session(request);
        if (session != null) {
            ends.endLogin(session.id(), clock.millis());
        }
        URI after = URI.create(request.url(to));
        List<String> gone = request.withoutLogin();
        if (session == null) {
            return Answers.redirect(after.toString(), gone);
        }
        return new LoginResult.Unknown(
                threads.check(
                        request.exchange(),
                        this,
                        () -> {
                            String location = logout.location(session, after);
                            return () -> Answers.redirect(location, gone);
                        }));
    }

    /// Null when there is none, or several.
    private static @Nullable String one(Map<String, List<String>> given, String name) {
        List<String> values = given.getOrDefault(name, List.of());
        return values.size() == 1 ? values.getFirst() : null;
    }
}
