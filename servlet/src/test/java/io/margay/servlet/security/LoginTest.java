package io.margay.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.exchange.MemoryBudget;
import io.margay.server.exchange.TlsInfo;
import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import io.margay.testkit.TestCertificate;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The ways to log in (Servlet 6.1 §13.6), as a client meets them.
final class LoginTest {
    private static final UsersFile USERS =
            UsersFile.read(
                    "users.xml",
                    ("<tomcat-users><user username='ada' password='söcret' roles='boss'/>"
                                    + "<user username='bob' password='pass' roles='guest'/>"
                                    + "</tomcat-users>")
                            .getBytes(StandardCharsets.UTF_8));

    private static SecurityConstraint constraint(String pattern, Set<String> roles) {
        return new SecurityConstraint(
                List.of(new WebResourceCollection("c", List.of(pattern), Set.of(), Set.of())),
                roles,
                "NONE");
    }

    private static TestApp app(String method) {
        return TestApp.at("/app")
                .login(method)
                .role("boss")
                .settings(settings -> settings.withRealm(USERS))
                .constraint(constraint("/in/*", Set.of("boss")))
                .constraint(constraint("/any", Set.of("**")))
                .servlet(
                        "/*",
                        (q, r) ->
                                r.getWriter()
                                        .print(
                                                q.getRemoteUser()
                                                        + " "
                                                        + q.getAuthType()
                                                        + " "
                                                        + q.isUserInRole("boss")));
    }

    private static String basic(String user, String password) {
        byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair);
    }

    private static String session(ScriptedExchange exchange) {
        String cookie = exchange.field("Set-Cookie");
        return "Cookie: " + cookie.substring(0, cookie.indexOf(';'));
    }

    @Test
    void basic_credentials_decide() throws Exception {
        TestApp app = app("BASIC");
        ScriptedExchange asked = app.get("/app/in/x");
        assertEquals(401, asked.status());
        assertEquals("Basic realm=\"here\", charset=\"UTF-8\"", asked.field("WWW-Authenticate"));
        assertEquals(401, app.get("/app/in/x", basic("ada", "wrong")).status());
        assertEquals(401, app.get("/app/in/x", basic("eve", "")).status());
        assertEquals(401, app.get("/app/in/x", "Authorization: Basic ?").status());
        assertEquals(403, app.get("/app/in/x", basic("bob", "pass")).status());
        ScriptedExchange in = app.get("/app/in/x", basic("ada", "söcret"));
        assertEquals("ada BASIC true", in.body());
        assertEquals("private", in.field("Cache-Control"));
        assertEquals("bob BASIC false", app.get("/app/any", basic("bob", "pass")).body());
        assertEquals("null null false", app.get("/app/out", basic("bob", "pass")).body());
    }

    /// Servlet 6.1 §13.3: `**` is any user, unless the application has a role of that name.
    @Test
    void roleOfTwoStars_isAnyUsers_unlessDeclared() throws Exception {
        for (boolean declared : new boolean[] {false, true}) {
            TestApp app =
                    TestApp.at("/app")
                            .login("BASIC")
                            .settings(settings -> settings.withRealm(USERS))
                            .constraint(constraint("/any", Set.of("**")))
                            .servlet(
                                    "/*",
                                    (q, r) ->
                                            r.getWriter()
                                                    .print(
                                                            q.isUserInRole("**")
                                                                    + " "
                                                                    + q.isUserInRole("*")));
            if (declared) {
                app.role("**");
            }
            assertEquals("false false", app.get("/app/out").body());
            assertEquals(401, app.get("/app/any").status());
            assertEquals(
                    declared ? "false false" : "true false",
                    app.get("/app/any", basic("bob", "pass")).body());
        }
    }

    /// A servlet that runs as another role is that towards enterprise beans, of which there are
    /// none here; who its user is stays as it was.
    @Test
    void runAs_isKnown_andLeavesTheUserAlone() throws Exception {
        TestApp app = app("BASIC");
        app.setup(context -> {
            var servlet =
                    context.addServlet(
                            "as",
                            TestApp.servlet((q, r) ->
                                    r.getWriter()
                                            .print(
                                                    q.getRemoteUser()
                                                            + " "
                                                            + q.isUserInRole("boss")
                                                            + " "
                                                            + q.getServletContext()
                                                                    .getServletRegistration("as")
                                                                    .getRunAsRole())));
            servlet.setRunAsRole("boss");
            servlet.addMapping("/any");
        });
        assertEquals("bob false boss", app.get("/app/any", basic("bob", "pass")).body());
    }

    @Test
    void basic_latin1_isUnderstood() throws Exception {
        byte[] pair = "ada:söcret".getBytes(StandardCharsets.ISO_8859_1);
        String field = "Authorization: basic " + Base64.getEncoder().encodeToString(pair);
        assertEquals("ada BASIC true", app("BASIC").get("/app/in/x", field).body());
    }

    private static String digest(String challenge, String nc, String uri, String password) {
        String ha1 = DigestAlgorithm.SHA_256.hash("bob", "here", password);
        return digest("bob", challenge, nc, uri, ha1);
    }

    private static String digest(String name, String challenge, String nc, String uri, String ha1) {
        String nonce = challenge.replaceFirst(".*nonce=\"([^\"]+)\".*", "$1");
        var given =
                new DigestCredentials(
                        name, "here", nonce, uri, "", "c\"n", nc, DigestAlgorithm.SHA_256);
        return "Authorization: Digest username=\""
                + name
                + "\", realm=\"here\", uri=\""
                + uri
                + "\", algorithm=SHA-256, nonce=\""
                + nonce
                + "\", nc="
                + nc
                + ", cnonce=\"c\\\"n\", qop=auth, response=\""
                + given.expected(ha1, "GET")
                + "\"";
    }

    @Test
    void digest_proof_decidesOnce() throws Exception {
        TestApp app = app("DIGEST");
        ScriptedExchange asked = app.get("/app/any?a=b");
        assertEquals(401, asked.status());
        String challenge = asked.field("WWW-Authenticate");
        assertTrue(challenge.startsWith("Digest realm=\"here\", qop=\"auth\", algorithm=SHA-256"));
        String first = digest(challenge, "00000001", "/app/any?a=b", "pass");
        assertEquals("bob DIGEST false", app.get("/app/any?a=b", first).body());
        ScriptedExchange replayed = app.get("/app/any?a=b", first);
        assertEquals(401, replayed.status());
        assertTrue(replayed.field("WWW-Authenticate").contains("stale=true"));
        String third = digest(challenge, "00000003", "/app/any?a=b", "pass");
        assertEquals(200, app.get("/app/any?a=b", third).status());
        String second = digest(challenge, "00000002", "/app/any?a=b", "pass");
        assertEquals(400, app.get("/app/any", second).status());
        assertEquals(200, app.get("/app/any?a=b", second).status());
        String wrong = digest(challenge, "00000004", "/app/any?a=b", "wrong");
        ScriptedExchange refused = app.get("/app/any?a=b", wrong);
        assertEquals(401, refused.status());
        assertFalse(refused.field("WWW-Authenticate").contains("stale"));
        String forged = digest("nonce=\"AAAAAAAAAAAAAAAA\"", "00000001", "/app/any", "pass");
        assertEquals(401, app.get("/app/any", forged).status());
    }

    /// What is computed in place of an unknown user's hash is no hash that lets anybody in.
    @ParameterizedTest
    @ValueSource(strings = {"", ":", "::", "nobody::", "nobody:here:", "null", "nobody:here:null"})
    void digest_ofAnUnknownUser_isNeverRight_cve2026_43512(String hashed) throws Exception {
        TestApp app = app("DIGEST");
        String challenge = app.get("/app/any").field("WWW-Authenticate");
        for (String ha1 : List.of(DigestAlgorithm.SHA_256.hash(hashed), hashed)) {
            String proof = digest("nobody", challenge, "00000001", "/app/any", ha1);
            assertEquals(401, app.get("/app/any", proof).status());
        }
    }

    private static TestApp formApp() {
        return app("FORM")
                .servlet("/login", (q, r) -> r.getWriter().print("login " + q.getMethod()))
                .servlet("/failed", (q, r) -> r.getWriter().print("failed " + q.getMethod()));
    }

    private static ScriptedExchange submit(TestApp app, String password, String cookie)
            throws IOException {
        String form = "j_username=ada&j_password=" + password;
        return app.run(ScriptedExchange.form("/app/j_security_check", form, cookie));
    }

    @Test
    void form_login_leadsBackWithAnotherSessionId() throws Exception {
        TestApp app = formApp();
        ScriptedExchange asked = app.get("/app/in/x?y=z");
        assertEquals("login GET", asked.body());
        assertEquals("no-store", asked.field("Cache-Control"));
        String before = session(asked);
        assertEquals("failed GET", submit(app, "wrong", before).body());
        ScriptedExchange in = submit(app, "s%C3%B6cret", before);
        assertEquals(303, in.status());
        assertEquals("/app/in/x?y=z", in.field("Location"));
        String after = session(in);
        assertNotEquals(before, after);
        assertEquals("ada FORM true", app.get("/app/in/x", after).body());
        assertEquals("ada FORM true", app.get("/app/out", after).body());
        assertEquals("login GET", app.get("/app/in/x", before).body());
    }

    private static UsersFile users(String list) {
        String text = "<tomcat-users>" + list + "</tomcat-users>";
        return UsersFile.read("users.xml", text.getBytes(StandardCharsets.UTF_8));
    }

    /// What a session of `ada`, who was boss at login, gets after a restart with other users.
    private static ScriptedExchange restarted(Path folder, String path, String users)
            throws Exception {
        Path file = folder.resolve("sessions");
        TestApp first = formApp().settings(settings -> settings.withSessionFile(file));
        ScriptedExchange in = submit(first, "s%C3%B6cret", session(first.get("/app/in/x")));
        String cookie = session(in);
        assertEquals("ada FORM true", first.get("/app/in/x", cookie).body());
        first.start().stop();
        for (int i = 0; i < 2; i++) { // Once without any request of the session.
            TestApp next =
                    formApp()
                            .settings(settings -> settings.withSessionFile(file))
                            .settings(settings -> settings.withRealm(users(users)));
            if (i == 1) {
                return next.get(path, cookie);
            }
            next.start().stop();
        }
        throw new AssertionError();
    }

    @Test
    void form_loginOverARestart_isOfWhomTheRealmStillKnows(@TempDir Path folder) throws Exception {
        String same = "<user username='ada' password='other' roles='boss'/>";
        assertEquals("ada FORM true", restarted(folder, "/app/in/x", same).body());
        assertEquals("ada FORM true", restarted(folder, "/app/out", same).body());
        String others = "<user username='eve' password='x' roles='boss'/>";
        assertEquals("login GET", restarted(folder, "/app/in/x", others).body());
        assertEquals("null null false", restarted(folder, "/app/out", others).body());
    }

    /// A session has no role that it had not when its user logged in: the name may be another's.
    @Test
    void form_rolesOverARestart_canOnlyBecomeFewer(@TempDir Path folder) throws Exception {
        String less = "<user username='ada' password='x' roles='guest'/>";
        assertEquals(403, restarted(folder, "/app/in/x", less).status());
        assertEquals("ada FORM false", restarted(folder, "/app/out", less).body());
        TestApp guests =
                formApp()
                        .settings(settings ->
                                settings.withSessionFile(folder.resolve("guests"))
                                        .withRealm(users(less)));
        ScriptedExchange in = submit(guests, "x", session(guests.get("/app/any")));
        guests.start().stop();
        String more = "<user username='ada' password='x' roles='guest,boss'/>";
        TestApp next =
                formApp()
                        .settings(settings ->
                                settings.withSessionFile(folder.resolve("guests"))
                                        .withRealm(users(more)));
        assertEquals("ada FORM false", next.get("/app/out", session(in)).body());
    }

    private static TestApp postApp() {
        return formApp()
                .servlet(
                        "/in/post",
                        (q, r) -> {
                            r.setCharacterEncoding("UTF-8");
                            r.getWriter()
                                    .print(
                                            q.getMethod()
                                                    + " "
                                                    + q.getParameter("a")
                                                    + " "
                                                    + q.getParameter("b")
                                                    + " "
                                                    + q.getContentLength());
                        });
    }

    @Test
    void form_postedBeforeLogin_isRestoredOnce() throws Exception {
        TestApp app = postApp();
        ScriptedExchange asked = app.run(ScriptedExchange.form("/app/in/post?a=1", "b=%C3%A4"));
        assertEquals("login GET", asked.body());
        ScriptedExchange in = submit(app, "s%C3%B6cret", session(asked));
        String cookie = session(in);
        assertEquals("POST 1 ä 8", app.get("/app/in/post?a=1", cookie).body());
        assertEquals("GET 1 null -1", app.get("/app/in/post?a=1", cookie).body());
    }

    @Test
    void form_postedBeforeLogin_tooLargeIsGot() throws Exception {
        TestApp app = postApp();
        String large = "b=" + "x".repeat(FormLogin.FORM_BYTES_MAX);
        ScriptedExchange asked = app.run(ScriptedExchange.form("/app/in/post?a=1", large));
        ScriptedExchange in = submit(app, "s%C3%B6cret", session(asked));
        assertEquals("GET 1 null -1", app.get("/app/in/post?a=1", session(in)).body());
    }

    @Test
    void form_longTarget_isNotKept() throws Exception {
        MemoryBudget memory = new MemoryBudget(1 << 20);
        TestApp app = formApp().settings(settings -> settings.withMemory(memory));
        String query = "y".repeat(PutOffRequests.TARGET_CHARS_MAX);
        ScriptedExchange asked = app.get("/app/in/x?" + query);
        assertEquals("login GET", asked.body());
        assertNull(asked.field("Set-Cookie"));
        assertEquals(0, memory.held());
        assertEquals("/app/", submit(app, "s%C3%B6cret", "X: y").field("Location"));
    }

    @Test
    void form_manyWhoDoNotLogIn_areHeldUpToABound() throws Exception {
        MemoryBudget memory = new MemoryBudget(8 * 50_000);
        TestApp app = postApp().settings(settings -> settings.withMemory(memory));
        ScriptedExchange first = app.run(ScriptedExchange.form("/app/in/post?a=1", "b=c"));
        String posted = "b=" + "x".repeat(4_000);
        for (int i = 0; i < 100; i++) {
            ScriptedExchange asked = app.run(ScriptedExchange.form("/app/in/post?a=1", posted));
            assertEquals("login GET", asked.body());
        }
        assertTrue(memory.held() <= 50_000, "held: " + memory.held());
        ScriptedExchange last = app.run(ScriptedExchange.form("/app/in/post?a=1", posted));
        assertNull(last.field("Set-Cookie"), "no session any more");
        ScriptedExchange in = submit(app, "s%C3%B6cret", session(first));
        assertEquals("POST 1 c 3", app.get("/app/in/post?a=1", session(in)).body());
        app.start().stop();
        assertEquals(0, memory.held());
    }

    @Test
    void form_whenThereIsNoMemory_isAnsweredAndLogsIn() throws Exception {
        MemoryBudget memory = new MemoryBudget(1 << 20);
        assertTrue(memory.take(memory.bytesMax()));
        TestApp app = postApp().settings(settings -> settings.withMemory(memory));
        String large = "b=" + "x".repeat(20_000);
        ScriptedExchange asked = app.run(ScriptedExchange.form("/app/in/post?a=1", large));
        assertEquals("login GET", asked.body());
        assertNull(asked.field("Set-Cookie"), "nothing is kept");
        ScriptedExchange in = submit(app, "s%C3%B6cret", "X: y");
        assertEquals("/app/", in.field("Location"));
        ScriptedExchange posted =
                app.run(ScriptedExchange.form("/app/in/post?a=1", large, session(in)));
        assertEquals(503, posted.status());
        assertEquals(memory.bytesMax(), memory.held());
        memory.give(memory.bytesMax());
        ScriptedExchange again =
                app.run(ScriptedExchange.form("/app/in/post?a=1", large, session(in)));
        assertEquals(200, again.status());
    }

    @Test
    void form_whatWasPutOff_isGivenBack_whenItIsHad() throws Exception {
        MemoryBudget memory = new MemoryBudget(1 << 20);
        TestApp app = postApp().settings(settings -> settings.withMemory(memory));
        ScriptedExchange asked = app.run(ScriptedExchange.form("/app/in/post?a=1", "b=c"));
        assertTrue(memory.held() > 0);
        long one = memory.held();
        ScriptedExchange again =
                app.run(ScriptedExchange.form("/app/in/post?a=1", "b=d", session(asked)));
        assertEquals("login GET", again.body());
        assertEquals(one, memory.held());
        ScriptedExchange in = submit(app, "s%C3%B6cret", session(asked));
        assertEquals("POST 1 d 3", app.get("/app/in/post?a=1", session(in)).body());
        assertEquals(0, memory.held());
    }

    @Test
    void form_restoredPost_isHeldToTheConstraintsOfPost() throws Exception {
        SecurityConstraint posting =
                new SecurityConstraint(
                        List.of(
                                new WebResourceCollection(
                                        "c", List.of("/p"), Set.of("POST"), Set.of())),
                        Set.of("nobody has this"),
                        "NONE");
        TestApp app =
                formApp()
                        .constraint(posting)
                        .servlet("/p", (q, r) -> r.getWriter().print(q.getMethod()));
        ScriptedExchange asked = app.run(ScriptedExchange.form("/app/p", "b=c"));
        ScriptedExchange in = submit(app, "s%C3%B6cret", session(asked));
        assertEquals(403, app.get("/app/p", session(in)).status());
        assertEquals("GET", app.get("/app/p", session(in)).body());
    }

    @Test
    void form_targetOnAnotherHost_staysHere() throws Exception {
        TestApp app =
                TestApp.root()
                        .login("FORM")
                        .settings(settings -> settings.withRealm(USERS))
                        .constraint(constraint("/*", Set.of("boss")))
                        .servlet("/login", (q, r) -> {});
        String cookie = session(app.get("//evil.example/x"));
        String form = "j_username=ada&j_password=s%C3%B6cret";
        ScriptedExchange in = app.run(ScriptedExchange.form("/j_security_check", form, cookie));
        assertTrue(in.field("Location").startsWith("/evil"), in.field("Location"));
    }

    @Test
    void form_byGet_isNoSubmission() throws Exception {
        TestApp app = formApp();
        ScriptedExchange got =
                app.get("/app/j_security_check?j_username=ada&j_password=s%C3%B6cret");
        assertEquals("null null false", got.body());
    }

    @Test
    void program_loginAndLogout_lastWithTheSession() throws Exception {
        TestApp app =
                app("BASIC")
                        .servlet(
                                "/enter",
                                (q, r) -> {
                                    String before = q.getSession().getId();
                                    q.login("ada", "söcret");
                                    assertNotEquals(before, q.getSession().getId());
                                })
                        .servlet(
                                "/leave",
                                (q, r) -> {
                                    q.logout();
                                    assertNull(q.getRemoteUser());
                                })
                        .servlet(
                                "/wrong",
                                (q, r) -> {
                                    assertThrows(ServletException.class, () -> q.login("ada", "x"));
                                    assertThrows(
                                            ServletException.class, () -> q.login("ada", null));
                                    assertThrows(ServletException.class, () -> q.login(null, "x"));
                                    r.getWriter().print("refused");
                                });
        String cookie = session(app.get("/app/enter"));
        assertEquals("ada BASIC true", app.get("/app/in/x", cookie).body());
        assertEquals("refused", app.get("/app/wrong").body());
        app.get("/app/leave", cookie);
        assertEquals(401, app.get("/app/in/x", cookie).status());
    }

    @Test
    void certificate_absent_isRefused() throws Exception {
        ScriptedExchange exchange = app("CLIENT-CERT").get("/app/in/x");
        assertEquals(401, exchange.status());
        assertFalse(exchange.body().contains("ada"));
    }

    @Test
    void certificate_ofAUser_isEnough(@TempDir Path folder) throws Exception {
        X509Certificate certificate;
        try (InputStream file = Files.newInputStream(TestCertificate.in(folder).cert())) {
            certificate =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(file);
        }
        String name = certificate.getSubjectX500Principal().toString();
        UsersFile users =
                UsersFile.read(
                        "users.xml",
                        ("<tomcat-users><user username='"
                                        + name
                                        + "' roles='boss'/></tomcat-users>")
                                .getBytes(StandardCharsets.UTF_8));
        TlsInfo tls = new TlsInfo("TLSv1.3", "suite", 128, "id", List.of(certificate));
        TestApp app = app("CLIENT-CERT").settings(settings -> settings.withRealm(users));
        ScriptedExchange in = app.run(ScriptedExchange.secure("/app/in/x", tls));
        assertEquals(name + " CLIENT_CERT true", in.body());
        TestApp others = app("CLIENT-CERT");
        assertEquals(401, others.run(ScriptedExchange.secure("/app/in/x", tls)).status());
    }

    @Test
    void confidential_overHttp_isSentToHttps() throws Exception {
        SecurityConstraint constraint =
                new SecurityConstraint(
                        List.of(
                                new WebResourceCollection(
                                        "c", List.of("/safe"), Set.of(), Set.of())),
                        Set.of("boss"),
                        "CONFIDENTIAL");
        TestApp app =
                app("BASIC")
                        .constraint(constraint)
                        .settings(settings -> settings.withSecurePort(8443));
        ScriptedExchange sent = app.get("/app/safe?a=b", basic("ada", "söcret"));
        assertEquals(302, sent.status());
        assertEquals("https://localhost:8443/app/safe?a=b", sent.field("Location"));
        String secret = basic("ada", "söcret");
        byte[] none = new byte[0];
        assertEquals(403, app.run(ScriptedExchange.of("POST", "/app/safe", none, secret)).status());
        ScriptedExchange safe = app.run(ScriptedExchange.secure("/app/safe", null, secret));
        assertEquals("ada BASIC true", safe.body());
    }

    @Test
    void method_none_isClosed() throws Exception {
        assertEquals(403, app(null).get("/app/in/x", basic("ada", "söcret")).status());
    }
}
