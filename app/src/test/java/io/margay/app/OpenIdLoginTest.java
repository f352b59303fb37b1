package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.FieldsServlet;
import io.margay.app.sample.RoleServlet;
import io.margay.app.sample.UserServlet;
import io.margay.gateway.login.OpenIdLogins;
import io.margay.testkit.LoggedLines;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hosts whose users log in at an OpenID provider.
final class OpenIdLoginTest {
    private static final String PAGE = "Accept: text/html";

    @TempDir static Path folder;

    private static MargayServer behind;

    private ScriptedOpenIdProvider provider;
    private MargayServer server;

    @BeforeAll
    static void startBehind() throws Exception {
        war("who", UserServlet.class);
        war("fields", FieldsServlet.class);
        war("role", RoleServlet.class);
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("files/a.txt"), "a file");
        Files.writeString(folder.resolve("secret"), ScriptedOpenIdProvider.SECRET + "\n");
        behind =
                start(
                        "behind",
                        """
                        listeners:
                          - http: 127.0.0.1:0
                          - {ajp: "127.0.0.1:0", secret: s}
                        hosts:
                          - routes:
                              /back: {app: fields.war}
                              /ajp: {app: who.war}
                        """);
    }

    private static void war(String name, Class<? extends jakarta.servlet.http.HttpServlet> servlet)
            throws IOException {
        Wars.with("v.txt", "one").servlet(servlet, "/*").war(folder.resolve(name + ".war"));
    }

    @AfterAll
    static void stopBehind() {
        behind.close();
    }

    @BeforeEach
    void begin() throws IOException {
        provider = new ScriptedOpenIdProvider();
    }

    @AfterEach
    void end() {
        provider.close();
        if (server != null) {
            server.close();
        }
    }

    private static MargayServer start(String name, String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".yaml"), yaml + "work: w-" + name);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private void serve(String transport, String more) throws Exception {
        server =
                start(
                        "front",
                        """
                        listeners: [{http: 127.0.0.1:0, transport: %s}]
                        hosts:
                          - access-log: {file: access.log, format: "%%u %%U %%>s"}
                            access:
                              login:
                                oidc:
                                  issuer: %s
                                  client-id: shop
                                  client-secret-file: secret
                                  user-claim: preferred_username
                                  roles-claims: [realm_access.roles]
                                  claims: [department]
                                  user-info: true
                                  fields: {X-Remote-User: preferred_username, X-Mail: email}
                                  scopes: [profile]
                                  parameters: {prompt: select_account}
                                  back-channel-logout-path: /oidc/back
                                  after-logout: /files/a.txt
                                  %s
                              sections:
                                - {path: /files, require: [{everybody: true}]}
                                - {path: /who/staff, require: [{group: [staff]}]}
                                - {path: /who/chiefs, require: [{group: [chiefs]}]}
                                - {path: /who/sales, require: [{claim: ["department:sales"]}]}
                                - {path: /who/other, require: [{claim: ["department~^x"]}]}
                                - path: /who/endless
                                  require: [{claim: ['department~(a+)+\\1!$']}]
                            routes:
                              /who: {app: who.war}
                              /role: {app: role.war}
                              /files: {files: files}
                              /back: {gateway: back}
                              /ajp: {gateway: ajp}
                        upstreams:
                          back: {members: [{url: "http://127.0.0.1:%d"}]}
                          ajp: {members: [{url: "ajp://127.0.0.1:%d", secret: s}]}
                        """
                                .formatted(
                                        transport,
                                        provider.issuer(),
                                        more,
                                        behind.ports().get(0),
                                        behind.ports().get(1)));
    }

    private RawHttpClient.Response ask(String method, String path, String... fields)
            throws IOException {
        return askAt("shop.example", method, path, "", fields);
    }

    private RawHttpClient.Response askAt(
            String host, String method, String path, String body, String... fields)
            throws IOException {
        var address = (InetSocketAddress) server.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n");
            client.send(body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n");
            for (String field : fields) {
                client.send(field + "\r\n");
            }
            return client.send("\r\n" + body).response();
        }
    }

    /// A browser: it keeps cookies, and follows nothing by itself.
    private final class Browser {
        private final Map<String, String> cookies = new TreeMap<>();

        RawHttpClient.Response open(String path, String... more) throws IOException {
            List<String> fields = new java.util.ArrayList<>(List.of(more));
            fields.add(PAGE);
            if (!cookies.isEmpty()) {
                List<String> pairs = new java.util.ArrayList<>();
                cookies.forEach((name, value) -> pairs.add(name + "=" + value));
                fields.add("Cookie: " + String.join("; ", pairs));
            }
            RawHttpClient.Response response = ask("GET", path, fields.toArray(String[]::new));
            for (String set : response.all("Set-Cookie")) {
                String[] pair = set.substring(0, set.indexOf(';')).split("=", 2);
                if (set.contains("Max-Age=0")) {
                    cookies.remove(pair[0]);
                } else {
                    cookies.put(pair[0], pair[1]);
                }
            }
            return response;
        }

        /// Logs in, on the way to a page.
        RawHttpClient.Response login(String page, String user) throws IOException {
            RawHttpClient.Response away = open(page);
            assertEquals(302, away.status(), away.text());
            return open(provider.login(away.field("Location"), user));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native", "blocking"})
    void user_whoLogsIn_isKnownToAll(String transport) throws Exception {
        serve(transport, "");
        Browser browser = new Browser();
        RawHttpClient.Response away = browser.open("/who/x?q=1%20&r=//evil");
        String location = away.field("Location");
        assertTrue(location.startsWith(provider.issuer() + "/login?"), location);
        assertTrue(location.contains("prompt=select_account"), location);
        assertTrue(location.contains("code_challenge_method=S256"), location);
        assertTrue(
                location.contains("redirect_uri=http%3A%2F%2Fshop.example%2Foidc%2Fcallback"),
                location);
        assertEquals("no-store", away.field("Cache-Control"));
        RawHttpClient.Response back = browser.open(provider.login(location, "ada"));
        assertEquals(302, back.status(), back.text());
        assertEquals("http://shop.example/who/x?q=1%20&r=//evil", back.field("Location"));
        assertEquals(1, browser.cookies.size(), browser.cookies::toString);
        assertTrue(back.all("Set-Cookie").getLast().endsWith("; Path=/; HttpOnly; SameSite=Lax"));

        assertEquals("ada ada openid-connect 0", browser.open("/who/x").text());
        assertEquals("true false false", browser.open("/role").text());
        assertEquals("ada ada openid-connect 0", browser.open("/ajp").text());
        assertEquals(200, browser.open("/who/staff").status());
        assertEquals(403, browser.open("/who/chiefs").status());
        assertEquals(200, browser.open("/who/sales").status());
        assertEquals(403, browser.open("/who/other").status());
        String seen = browser.open("/back", "X-Remote-User: eve", "x_mail: eve").text();
        assertTrue(seen.contains("X-Remote-User: ada\n"), seen);
        assertTrue(seen.contains("X-Mail: ada@example.org\n"), seen);
        assertFalse(seen.contains("eve") || seen.contains("margay-login"), seen);
        assertEquals("a file", ask("GET", "/files/a.txt").text());
        assertEquals(1, provider.metadataAsked.get());
        server.close();
        assertTrue(Files.readString(folder.resolve("access.log")).contains("ada /who/x 200"));
    }

    @Test
    void claim_forWhichAnExpressionDoesNotEnd_letsNobodyIn() throws Exception {
        serve("nio", "");
        provider.claims = claims -> claims.claim("department", "a".repeat(200));
        Browser browser = new Browser();
        browser.login("/who", "ada");
        assertEquals(200, browser.open("/who/x").status());
        assertEquals(500, browser.open("/who/endless").status());
        assertEquals(403, browser.open("/who/other").status());
    }

    @Test
    void claims_areFieldsForMembers_asModAuthOpenidcHasThem() throws Exception {
        serve("nio", "claim-fields: {without: [department], delimiter: ;}");
        provider.claims =
                claims ->
                        claims.claim("verified", true)
                                .claim("a b", "one")
                                .claim("lists", List.of("x", true, 7))
                                .claim("address", Map.of("city", "Ulm"))
                                .claim("evil", "x\r\nX-Admin: 1");
        Browser browser = new Browser();
        browser.login("/who", "ada");
        String[] pretended = {
            "OIDC_CLAIM_email: eve", "oidc-claim-chief: eve", "OIDC_access_token: eve"
        };
        String seen = browser.open("/back", pretended).text();
        assertTrue(seen.contains("OIDC_CLAIM_email: ada@example.org\n"), seen);
        assertTrue(seen.contains("OIDC_CLAIM_preferred_username: ada\n"), seen);
        assertTrue(seen.contains("OIDC_CLAIM_verified: 1\n"), seen);
        assertTrue(seen.contains("OIDC_CLAIM_a-b: one\n"), seen);
        assertTrue(seen.contains("OIDC_CLAIM_lists: x;1;7\n"), seen);
        assertTrue(seen.contains("OIDC_CLAIM_address: {\"city\":\"Ulm\"}\n"), seen);
        assertTrue(seen.contains("X-Mail: ada@example.org\n"), seen);
        for (String missing : List.of("eve", "X-Admin", "CLAIM_nonce", "CLAIM_department")) {
            assertFalse(seen.contains(missing), seen);
        }
        server.close();
        serve("nio", "");
        browser.login("/who", "ada");
        seen = browser.open("/back", pretended).text();
        assertFalse(seen.toUpperCase(java.util.Locale.ROOT).contains("OIDC"), seen);
    }

    @Test
    void request_thatIsNoPage_isRefusedAndNotRedirected() throws Exception {
        serve("nio", "");
        assertEquals(401, askAt("shop.example", "POST", "/who", "a=b", PAGE).status());
        assertEquals(401, ask("DELETE", "/who", PAGE).status());
        assertEquals(401, ask("GET", "/who", "X-Requested-With: XMLHttpRequest").status());
        assertEquals(401, ask("GET", "/who", PAGE, "Sec-Fetch-Mode: cors").status());
        assertEquals(401, ask("GET", "/who", "Accept: application/json").status());
        assertEquals(
                401,
                ask("GET", "/who", PAGE, "Connection: upgrade", "Upgrade: websocket").status());
        assertEquals(302, ask("GET", "/who", PAGE, "Sec-Fetch-Mode: navigate").status());
        assertEquals(302, ask("GET", "/who").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"//evil.example/x", "/\\evil.example", "/who/%2f%2fevil.example"})
    void target_thatLooksLikeAnotherSite_staysHere(String target) throws Exception {
        serve("nio", "");
        Browser browser = new Browser();
        RawHttpClient.Response away = browser.open(target);
        if (away.status() == 302) {
            RawHttpClient.Response back =
                    browser.open(provider.login(away.field("Location"), "ada"));
            assertTrue(
                    back.field("Location").startsWith("http://shop.example/"),
                    back.field("Location"));
        } else {
            assertEquals(400, away.status());
        }
    }

    @Test
    void wayBack_ofAnotherBrowserOrATwice_isRefused() throws Exception {
        serve("nio", "");
        Browser browser = new Browser();
        String back = provider.login(browser.open("/who").field("Location"), "ada");
        assertEquals(400, new Browser().open(back).status(), "login CSRF");
        assertEquals(400, browser.open(back + "x").status(), "another state");
        assertEquals(400, browser.open(back + "&state=1").status(), "two states");
        assertEquals(400, browser.open("/oidc/callback").status());
        Map<String, String> before = new TreeMap<>(browser.cookies);
        assertEquals(302, browser.open(back).status());
        assertEquals(400, browser.open(back).status(), "its cookie is gone");
        browser.cookies.putAll(before);
        assertEquals(400, browser.open(back).status(), "it was used");
        Browser other = new Browser();
        other.open("/who");
        String code = provider.login(new Browser().open("/who").field("Location"), "eve");
        assertEquals(400, other.open(code).status(), "a code of another login");
    }

    @Test
    void answer_ofAnotherProvider_isRefused() throws Exception {
        serve("nio", "");
        Browser browser = new Browser();
        String back = provider.login(browser.open("/who").field("Location"), "ada");
        String other = "&iss=" + URLEncoder.encode("https://evil.example", StandardCharsets.UTF_8);
        assertEquals(403, browser.open(back + other).status());
        back = provider.login(browser.open("/who").field("Location"), "ada");
        assertEquals(403, browser.open(back + other + other).status());
        back = provider.login(browser.open("/who").field("Location"), "ada");
        String own = "&iss=" + URLEncoder.encode(provider.issuer(), StandardCharsets.UTF_8);
        assertEquals(302, browser.open(back + own).status());
    }

    @Test
    void error_ofTheProvider_isToldInOurWords() throws Exception {
        serve("nio", "");
        Browser browser = new Browser();
        String back = provider.login(browser.open("/who").field("Location"), "ada");
        String state = back.substring(back.indexOf("&state="));
        RawHttpClient.Response refused = browser.open("/oidc/callback?error=%3Cscript%3E" + state);
        assertEquals(403, refused.status());
        assertFalse(refused.text().contains("script"));
        back = provider.login(browser.open("/who").field("Location"), "ada");
        assertEquals(403, browser.open(back.replaceFirst("code=[^&]*", "code=")).status());
        assertEquals(302, browser.open("/who").status());
    }

    private void refuses(String why, UnaryOperator<JWTClaimsSet.Builder> claims) throws Exception {
        provider.claims = claims;
        Browser browser = new Browser();
        RawHttpClient.Response back = browser.login("/who", "ada");
        assertEquals(403, back.status(), why);
        assertEquals(302, browser.open("/who").status(), why);
    }

    @Test
    void idToken_thatIsNotForThisLogin_isRefused() throws Exception {
        serve("nio", "");
        refuses("issuer", set -> set.issuer("http://127.0.0.1:1"));
        refuses("audience", set -> set.audience("another"));
        refuses("azp", set -> set.audience(List.of("shop", "another")).claim("azp", "another"));
        refuses("azp", set -> set.audience(List.of("shop", "another")));
        refuses("nonce", set -> set.claim("nonce", "another"));
        refuses("nonce", set -> set.claim("nonce", null));
        refuses(
                "exp",
                set ->
                        set.issueTime(Date.from(Instant.now().minusSeconds(100)))
                                .expirationTime(Date.from(Instant.now().minusSeconds(60))));
        refuses("iat", set -> set.issueTime(Date.from(Instant.now().plusSeconds(120))));
        refuses("nbf", set -> set.notBeforeTime(Date.from(Instant.now().plusSeconds(1000))));
        refuses("at_hash", set -> set.claim("at_hash", "AAAAAAAAAAAAAAAAAAAAAA"));
        refuses("sub", set -> set.subject(null));
        refuses("name", set -> set.claim("preferred_username", null));
        refuses("name", set -> set.claim("preferred_username", "ada\r\nX-Mail: eve"));
        refuses("userinfo", set -> set.subject("u-2"));
        provider.claims =
                set ->
                        set.issueTime(Date.from(Instant.now().minusSeconds(300)))
                                .expirationTime(Date.from(Instant.now().minusSeconds(10)))
                                .notBeforeTime(Date.from(Instant.now().plusSeconds(10)));
        assertEquals(302, new Browser().login("/who", "ada").status(), "within the skew");
    }

    @Test
    void idToken_thatIsNotSignedByTheProvider_isRefused() throws Exception {
        serve("nio", "");
        provider.written = token -> new PlainJWT(set(token)).serialize();
        refuses("alg none", UnaryOperator.identity());
        provider.written =
                token -> {
                    SignedJWT made = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), set(token));
                    try {
                        made.sign(new MACSigner(provider.key.toPublicJWK().toString()));
                    } catch (com.nimbusds.jose.JOSEException e) {
                        throw new IllegalStateException(e);
                    }
                    return made.serialize();
                };
        refuses("alg HS256 with the public key", UnaryOperator.identity());
        provider.written = token -> token.serialize().replaceFirst(".....$", "AAAAA");
        refuses("another signature", UnaryOperator.identity());
    }

    private static JWTClaimsSet set(SignedJWT token) {
        try {
            return token.getJWTClaimsSet();
        } catch (java.text.ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void keys_thatChange_areAskedForAgain() throws Exception {
        serve("nio", "");
        assertEquals(302, new Browser().login("/who", "ada").status());
        provider.key = ScriptedOpenIdProvider.newKey();
        assertEquals(302, new Browser().login("/who", "bob").status());
        assertEquals(2, provider.keysAsked.get());
    }

    @Test
    void provider_thatIsDown_keepsNobodyOutWhoIsIn() throws Exception {
        serve("nio", "");
        Browser browser = new Browser();
        assertEquals(302, browser.login("/who", "ada").status());
        String back = provider.login(new Browser().open("/who").field("Location"), "bob");
        assertNotEquals("", back);
        Browser late = new Browser();
        String half = provider.login(late.open("/who").field("Location"), "bob");
        provider.down = true;
        RawHttpClient.Response busy = late.open(half);
        assertEquals("503 10", busy.status() + " " + busy.field("Retry-After"));
        assertEquals("ada ada openid-connect 0", browser.open("/who").text());
        server.close();
        serve("nio", "");
        RawHttpClient.Response fresh = new Browser().open("/who");
        assertEquals("503 10", fresh.status() + " " + fresh.field("Retry-After"));
        assertEquals("a file", ask("GET", "/files/a.txt").text());
    }

    /// Whoever begins a login can choose such a code.
    @Test
    void provider_thatFailsForOneCode_letsOthersIn() throws Exception {
        serve("nio", "");
        Browser trouble = new Browser();
        assertEquals(503, trouble.login("/who", ScriptedOpenIdProvider.TROUBLE).status());
        assertEquals(302, new Browser().login("/who", "ada").status());
    }

    @Test
    void provider_withAnotherName_letsNobodyIn() throws Exception {
        provider.metadataIssuer = "http://127.0.0.1:1";
        serve("nio", "");
        assertEquals(503, new Browser().open("/who").status());
    }

    @Test
    void provider_whoseMetadataAreUnusable_answersNobodyButInTime() throws Exception {
        provider.metadata =
                text ->
                        text.replaceFirst(
                                "\"userinfo_endpoint\": \"[^\"]*", "\"userinfo_endpoint\": \"me");
        serve("nio", "");
        assertEquals(500, new Browser().login("/who", "ada").status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "margay-login=",
                "margay-login=AQ",
                "margay-login=\u00ff",
                "margay-login=AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "__Host-margay-login=x; margay-login=y; margay-login=z"
            })
    void cookie_thatIsForged_logsNobodyIn(String cookie) throws Exception {
        serve("nio", "");
        assertEquals(302, ask("GET", "/who", PAGE, "Cookie: " + cookie).status());
        String huge = "Cookie: margay-login=" + "A".repeat(6000);
        assertEquals(302, ask("GET", "/who", PAGE, huge).status());
    }

    @Test
    void cookie_thatIsChangedOrOfAState_logsNobodyIn() throws Exception {
        serve("nio", "");
        Browser browser = new Browser();
        browser.open("/who");
        String state = browser.cookies.values().iterator().next();
        assertEquals(302, ask("GET", "/who", PAGE, "Cookie: margay-login=" + state).status());
        browser.cookies.clear();
        browser.login("/who", "ada");
        String good = browser.cookies.get("margay-login");
        assertEquals(200, ask("GET", "/who", PAGE, "Cookie: margay-login=" + good).status());
        for (int at : new int[] {0, 5, 30, good.length() / 2, good.length() - 2}) {
            char other = good.charAt(at) == 'A' ? 'B' : 'A';
            String bad = good.substring(0, at) + other + good.substring(at + 1);
            assertEquals(
                    302, ask("GET", "/who", PAGE, "Cookie: margay-login=" + bad).status(), bad);
        }
        String twice = "Cookie: margay-login=" + good + "; margay-login=" + good;
        assertEquals(302, ask("GET", "/who", PAGE, twice).status());
        String among = "Cookie: a=b; margay-login=" + good + "; margay-logins=e; c=\"d\"";
        String seen = ask("GET", "/back", PAGE, among).text();
        assertTrue(seen.contains("Cookie: a=b; margay-logins=e; c=\"d\"\n"), seen);
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil example", "evil.example/x", "a@evil.example", "evil\u00e9"})
    void host_thatIsNone_isNotSentToTheProvider(String host) throws Exception {
        serve("nio", "");
        assertEquals(400, askAt(host, "GET", "/who", "", PAGE).status());
    }

    @Test
    void origin_thatIsConfigured_isTheOnlyOne() throws Exception {
        serve("nio", "redirect-path: \"https://shop.example/oidc/callback\"");
        Browser browser = new Browser();
        RawHttpClient.Response away = browser.open("/who");
        String location = away.field("Location");
        assertTrue(location.contains("redirect_uri=https%3A%2F%2Fshop.example%2Foidc%2Fcallback"));
        String set = away.all("Set-Cookie").getFirst();
        assertTrue(set.startsWith("__Host-margay-login-state-"), set);
        assertTrue(set.contains("; Secure"), set);
        RawHttpClient.Response other = askAt("evil.example", "GET", "/who?a=b", "", PAGE);
        assertEquals("https://shop.example/who?a=b", other.field("Location"));
        assertEquals(302, browser.open(provider.login(location, "ada")).status());
        assertEquals(List.of("__Host-margay-login"), List.copyOf(browser.cookies.keySet()));
        assertEquals(200, browser.open("/who").status());
    }

    @Test
    void login_thatIsOver_isRenewedOnceForAllRequests() throws Exception {
        provider.lifetimeSeconds = 1;
        serve("nio", "");
        Browser browser = new Browser();
        browser.login("/who", "ada");
        Map<String, String> old = Map.copyOf(browser.cookies);
        Instant deadline = Instant.now().plusSeconds(20);
        while (provider.renewals.get() == 0 && Instant.now().isBefore(deadline)) {
            browser.cookies.putAll(old);
            assertEquals(200, browser.open("/who").status());
        }
        provider.lifetimeSeconds = 3600;
        assertEquals(1, provider.renewals.get());
        assertNotEquals(old, browser.cookies);
        browser.cookies.putAll(old);
        assertEquals("ada ada openid-connect 0", browser.open("/who").text());
        assertEquals(1, provider.renewals.get(), "it was renewed a moment ago");
    }

    @Test
    void login_thatIsRenewedWithoutIdToken_hasTheRolesOfUserInfo() throws Exception {
        provider.lifetimeSeconds = 1;
        provider.renewsIdTokens = false;
        serve("nio", "");
        Browser browser = new Browser();
        browser.login("/who/staff", "ada");
        assertEquals(200, browser.open("/who/staff").status());
        provider.userInfo = "{\"sub\": \"u-1\", \"realm_access\": {\"roles\": [\"in\"]}}";
        int before = provider.renewals.get();
        Instant deadline = Instant.now().plusSeconds(20);
        while (provider.renewals.get() == before && Instant.now().isBefore(deadline)) {
            assertEquals(200, browser.open("/who").status());
        }
        assertEquals(403, browser.open("/who/staff").status());
        assertEquals("ada ada openid-connect 0", browser.open("/who").text());
    }

    @Test
    void login_thatTheProviderHasEnded_isOverWhenItIsRenewed() throws Exception {
        provider.lifetimeSeconds = 1;
        serve("nio", "");
        Browser browser = new Browser();
        browser.login("/who", "ada");
        provider.revokeAll();
        Instant deadline = Instant.now().plusSeconds(20);
        int status = 200;
        while (status == 200 && Instant.now().isBefore(deadline)) {
            status = browser.open("/who").status();
        }
        assertEquals(302, status);
        assertEquals(1, provider.renewals.get());
    }

    @Test
    void logout_toALongPath_isAnsweredAsToAShortOne() throws Exception {
        serve("nio", "");
        for (String path : List.of("/oidc/callback", "/oidc/logout")) {
            int usual = new Browser().open(path + "?logout=/a").status();
            assertTrue(usual < 500, path);
            String longer = path + "?logout=/" + "a%20".repeat(1_500);
            assertEquals(usual, new Browser().open(longer).status(), path);
        }
    }

    @Test
    void logout_endsTheLogin_hereAndAtTheProvider() throws Exception {
        serve("nio", "");
        Browser browser = new Browser();
        browser.login("/who", "ada");
        String stolen = "Cookie: margay-login=" + browser.cookies.get("margay-login");
        RawHttpClient.Response out = browser.open("/oidc/logout");
        String location = out.field("Location");
        assertTrue(location.startsWith(provider.issuer() + "/logout?"), location);
        assertTrue(location.contains("id_token_hint="), location);
        assertTrue(
                location.contains("post_logout_redirect_uri=http%3A%2F%2Fshop.example%2Ffiles"),
                location);
        assertEquals(Map.of(), browser.cookies);
        assertEquals(302, ask("GET", "/who", PAGE, stolen).status(), "it has ended");
        assertEquals(
                "http://shop.example/files/a.txt", browser.open("/oidc/logout").field("Location"));
        browser.login("/who", "ada");
        assertEquals(200, browser.open("/who").status(), "and another one begins");
    }

    private int logoutToken(JWTClaimsSet.Builder set, String type) throws Exception {
        String token = provider.signed(set.build(), new JOSEObjectType(type)).serialize();
        return askAt(
                        "shop.example",
                        "POST",
                        "/oidc/back",
                        "logout_token=" + token,
                        "Content-Type: application/x-www-form-urlencoded")
                .status();
    }

    private JWTClaimsSet.Builder logoutClaims(String jti) {
        return new JWTClaimsSet.Builder()
                .issuer(provider.issuer())
                .audience("shop")
                .jwtID(jti)
                .issueTime(new Date())
                .expirationTime(Date.from(Instant.now().plusSeconds(60)))
                .claim(
                        "events",
                        Map.of("http://schemas.openid.net/event/backchannel-logout", Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking"})
    void logout_byTheProvider_endsItsLogins(String transport) throws Exception {
        serve(transport, "");
        Browser browser = new Browser();
        browser.login("/who", "ada");
        assertEquals(405, ask("GET", "/oidc/back").status());
        assertEquals(400, askAt("shop.example", "POST", "/oidc/back", "a=b").status());
        assertEquals(413, askAt("shop.example", "POST", "/oidc/back", "a".repeat(20_000)).status());
        assertEquals(
                400, logoutToken(logoutClaims("1").claim("sid", "s-1").issuer("x"), "logout+jwt"));
        assertEquals(
                400,
                logoutToken(logoutClaims("2").claim("sid", "s-1").audience("x"), "logout+jwt"));
        assertEquals(
                400,
                logoutToken(
                        logoutClaims("3").claim("sid", "s-1").claim("nonce", "n"), "logout+jwt"));
        assertEquals(
                400,
                logoutToken(
                        logoutClaims("4").claim("sid", "s-1").claim("events", null), "logout+jwt"));
        assertEquals(
                400,
                logoutToken(
                        logoutClaims("5")
                                .claim("sid", "s-1")
                                .issueTime(Date.from(Instant.now().minusSeconds(1000))),
                        "logout+jwt"));
        assertEquals(200, logoutToken(logoutClaims("6").claim("sid", "another"), "logout+jwt"));
        assertEquals(200, browser.open("/who").status());
        assertEquals(200, logoutToken(logoutClaims("7").claim("sid", "s-1"), "logout+jwt"));
        assertEquals(302, browser.open("/who").status());
        browser.cookies.clear();
        browser.login("/who", "ada");
        assertEquals(400, logoutToken(logoutClaims("7").claim("sid", "s-1"), "logout+jwt"));
        assertEquals(200, browser.open("/who").status(), "a token counts once");
        assertEquals(200, logoutToken(logoutClaims("8").subject("u-1"), "logout+jwt"));
        assertEquals(302, browser.open("/who").status());
    }

    @Test
    void logins_ofAProvider_areCounted() throws Exception {
        serve("nio", "");
        assertEquals(List.of(), server.context.openId().readings());
        assertEquals(302, new Browser().login("/who", "ada").status());
        provider.claims = set -> set.audience("another");
        assertEquals(403, new Browser().login("/who", "ada").status());
        Browser late = new Browser();
        String half = provider.login(late.open("/who").field("Location"), "bob");
        provider.down = true;
        assertEquals(503, late.open(half).status());
        OpenIdLogins.Reading counted = server.context.openId().readings().getFirst();
        assertEquals(provider.issuer() + " shop", counted.provider() + " " + counted.client());
        assertEquals(
                "1 1 0 1",
                counted.logins()
                        + " "
                        + counted.refusals()
                        + " "
                        + counted.renewals()
                        + " "
                        + counted.errors());
        assertTrue(counted.calls() >= 5 && counted.callNanos() > 0, counted::toString);
    }

    @Test
    void login_withAKey_holdsOverARestart() throws Exception {
        serve("nio", "cookie-key: 0123456789abcdef");
        Browser browser = new Browser();
        browser.login("/who", "ada");
        server.close();
        serve("nio", "cookie-key: 0123456789abcdef");
        assertEquals(200, browser.open("/who").status());
        server.close();
        serve("nio", "cookie-key: another-key-that-is-long");
        assertEquals(302, browser.open("/who").status());
    }

    @Test
    void login_withTooManyRoles_doesNotBecomeACookie() throws Exception {
        serve("nio", "");
        provider.claims =
                set -> set.claim("realm_access", Map.of("roles", List.of("r".repeat(8000))));
        try (LoggedLines log = LoggedLines.of("io.margay.gateway")) {
            assertEquals(500, new Browser().login("/who", "ada").status());
            assertEquals(1, log.count("ada cannot log in: roles, claims"), log.toString());
        }
    }

    @Test
    void login_thatIsTooLongForACookie_hasTwo() throws Exception {
        serve("nio", "claim-fields: {only: [bio]}");
        String bio = "b".repeat(4000);
        provider.claims = claims -> claims.claim("bio", bio);
        Browser browser = new Browser();
        RawHttpClient.Response back = browser.login("/who", "ada");
        assertEquals(302, back.status(), back.text());
        back.all("Set-Cookie").forEach(set -> assertTrue(set.length() <= 4096, set));
        String first = browser.cookies.get("margay-login");
        String second = browser.cookies.get("margay-login-part-2");
        assertEquals(2, browser.cookies.size(), browser.cookies::toString);
        String seen = browser.open("/back").text();
        assertTrue(seen.contains("OIDC_CLAIM_bio: " + bio + "\n"), seen);
        assertFalse(seen.contains("margay-login"), "no cookie of a login goes on");

        for (String forged :
                List.of(
                        "margay-login=" + first,
                        "margay-login=" + first.substring(2),
                        "margay-login=3" + first.substring(1) + "; margay-login-part-2=" + second,
                        "margay-login=" + second + "; margay-login-part-2=" + first,
                        "margay-login=2." + second + "; margay-login-part-2=" + second,
                        "margay-login=2.; margay-login-part-2=AQ",
                        "margay-login=x.; margay-login-part-2=AQ")) {
            assertEquals(302, ask("GET", "/who", PAGE, "Cookie: " + forged).status(), forged);
        }
    }

    @Test
    void cookiesOfALogin_allEnd_withALogoutAndWithAShorterLogin() throws Exception {
        serve("nio", "claim-fields: {only: [bio]}");
        provider.claims = claims -> claims.claim("bio", "b".repeat(4000));
        Browser browser = new Browser();
        browser.login("/who", "ada");
        assertEquals(2, browser.cookies.size(), browser.cookies::toString);
        assertEquals(302, browser.open("/oidc/logout").status());
        assertEquals(Map.of(), browser.cookies);

        browser.login("/who", "ada");
        browser.cookies.remove("margay-login");
        provider.claims = claims -> claims.claim("bio", "short");
        browser.login("/who", "ada");
        assertEquals(Set.of("margay-login"), browser.cookies.keySet());
        assertEquals(200, browser.open("/who").status());
    }
}
