package io.margay.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Two applications of one host, and a browser that keeps the cookies of each path.
final class SingleSignOnTest {
    private static final Pattern COOKIE =
            Pattern.compile("([A-Z]+)=([0-9A-F]*).*?; Path=([^;]*).*");

    private static UsersFile users(String role) {
        return UsersFile.read(
                "users.xml",
                ("<tomcat-users><user username='ada' password='secret' roles='"
                                + role
                                + "'/><user username='bob' password='pass' roles='boss'/>"
                                + "</tomcat-users>")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private final AtomicLong nanos = new AtomicLong();
    private final Map<String, String> cookies = new LinkedHashMap<>();

    private SingleSignOn signOn(boolean reauthenticates) {
        return new SingleSignOn(
                new SingleSignOn.Settings("ONCE", null, reauthenticates), nanos::get);
    }

    private static TestApp app(String path, String method, SingleSignOn signOn, Realm realm) {
        return TestApp.at(path)
                .login(method)
                .role("boss")
                .settings(settings -> settings.withRealm(realm).withSingleSignOn(signOn))
                .constraint(
                        new SecurityConstraint(
                                List.of(
                                        new WebResourceCollection(
                                                "c", List.of("/in/*"), Set.of(), Set.of())),
                                Set.of("boss"),
                                "NONE"))
                .servlet("/login", (q, r) -> r.getWriter().print("login page"))
                .servlet("/failed", (q, r) -> r.getWriter().print("failed"))
                .servlet("/logout", (q, r) -> q.logout())
                .servlet("/end", (q, r) -> q.getSession().invalidate())
                .servlet("/log-in", (q, r) -> q.login(q.getParameter("u"), q.getParameter("p")))
                .servlet(
                        "/*",
                        (q, r) -> {
                            HttpSession session = q.getSession(false);
                            r.getWriter()
                                    .print(
                                            q.getRemoteUser()
                                                    + " "
                                                    + q.getAuthType()
                                                    + (session == null ? "" : " session"));
                        });
    }

    /// What a browser gets that sends and keeps cookies by path.
    private ScriptedExchange ask(TestApp app, String path, String... fields) throws Exception {
        return keep(app.get(path, withCookies(path, fields)));
    }

    private String[] withCookies(String path, String... fields) {
        List<String> all = new ArrayList<>(List.of(fields));
        StringBuilder sent = new StringBuilder();
        cookies.forEach((key, value) -> {
            String[] parts = key.split(" ");
            if (path.startsWith(parts[1])) {
                sent.append(sent.isEmpty() ? "Cookie: " : "; ");
                sent.append(parts[0]).append('=').append(value);
            }
        });
        if (!sent.isEmpty()) {
            all.add(sent.toString());
        }
        return all.toArray(String[]::new);
    }

    private ScriptedExchange keep(ScriptedExchange exchange) {
        for (String line : exchange.fields().all("Set-Cookie")) {
            Matcher matcher = COOKIE.matcher(line);
            assertTrue(matcher.matches(), line);
            cookies.put(matcher.group(1) + " " + matcher.group(3), matcher.group(2));
        }
        return exchange;
    }

    private static String basic(String user, String password) {
        byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair);
    }

    @Test
    void user_ofOneApplication_isKnownToTheOther() throws Exception {
        SingleSignOn signOn = signOn(false);
        Realm realm = users("boss");
        TestApp one = app("/one", "BASIC", signOn, realm);
        TestApp two = app("/two", "FORM", signOn, realm);
        assertEquals("login page", ask(two, "/two/in/x").body());
        assertNull(cookies.get("ONCE /"));
        ScriptedExchange entered = ask(one, "/one/in/x", basic("ada", "secret"));
        assertEquals("ada BASIC session", entered.body());
        String cookie = entered.fields().all("Set-Cookie").getLast();
        assertTrue(cookie.contains("; HttpOnly"), cookie);
        assertTrue(cookie.contains("; SameSite=Lax"), cookie);
        assertEquals("ada BASIC session", ask(two, "/two/in/x").body());
        assertEquals("ada BASIC session", ask(two, "/two/x").body());
        assertEquals("ada BASIC session", ask(one, "/one/in/x").body());
        assertEquals(
                "login page",
                two.get("/two/in/x", "Cookie: ONCE=0123456789ABCDEF0123456789ABCDEF").body());
    }

    @Test
    void form_logsInToAll_andLogOutIsOneEverywhere() throws Exception {
        SingleSignOn signOn = signOn(false);
        Realm realm = users("boss");
        TestApp one = app("/one", "BASIC", signOn, realm);
        TestApp two = app("/two", "FORM", signOn, realm);
        assertEquals("login page", ask(two, "/two/in/x").body());
        String path = "/two/j_security_check";
        ScriptedExchange wrong =
                keep(
                        two.run(
                                ScriptedExchange.form(
                                        path,
                                        "j_username=ada&j_password=wrong",
                                        withCookies(path))));
        assertEquals("failed", wrong.body());
        assertNull(cookies.get("ONCE /"));
        ScriptedExchange entered =
                keep(
                        two.run(
                                ScriptedExchange.form(
                                        path,
                                        "j_username=ada&j_password=secret",
                                        withCookies(path))));
        assertEquals(303, entered.status());
        assertEquals("ada FORM session", ask(two, "/two/in/x").body());
        assertEquals("ada FORM session", ask(one, "/one/in/x").body());
        assertEquals("", ask(one, "/one/logout").body());
        assertEquals("login page", ask(two, "/two/in/x").body());
        assertEquals(401, ask(one, "/one/in/x").status());
    }

    @Test
    void invalidatedSession_logsOutEverywhere_andOneThatTimesOutDoesNot() throws Exception {
        SingleSignOn signOn = signOn(false);
        Realm realm = users("boss");
        TestApp one = app("/one", "BASIC", signOn, realm);
        TestApp two = app("/two", "BASIC", signOn, realm);
        ask(one, "/one/in/x", basic("ada", "secret"));
        ask(two, "/two/in/x");
        ask(two, "/two/end");
        assertEquals(401, ask(one, "/one/in/x").status());

        ask(one, "/one/in/x", basic("ada", "secret"));
        ask(two, "/two/in/x");
        one.start().stop(); // Its users stay logged in elsewhere.
        assertEquals("ada BASIC session", ask(two, "/two/in/x").body());
    }

    @Test
    void anotherUser_hasAnotherCookie_andEndsTheLogInBefore() throws Exception {
        SingleSignOn signOn = signOn(false);
        Realm realm = users("boss");
        TestApp one = app("/one", "BASIC", signOn, realm);
        TestApp two = app("/two", "BASIC", signOn, realm);
        ask(one, "/one/in/x", basic("ada", "secret"));
        String before = cookies.get("ONCE /");
        two.get("/two/in/x", "Cookie: ONCE=" + before);
        keep(two.get("/two/logout", "Cookie: ONCE=" + before));
        ask(two, "/two/log-in?u=bob&p=pass");
        assertNotEquals(before, cookies.get("ONCE /"));
        assertEquals("bob BASIC session", ask(one, "/one/in/x").body());
        assertEquals(401, one.get("/one/in/x", "Cookie: ONCE=" + before).status());
    }

    @Test
    void realm_isAskedAgain_whereThatIsRequired() throws Exception {
        SingleSignOn signOn = signOn(true);
        TestApp one = app("/one", "BASIC", signOn, users("boss"));
        TestApp two = app("/two", "BASIC", signOn, users("guest"));
        assertEquals(200, ask(one, "/one/in/x", basic("ada", "secret")).status());
        assertEquals("ada BASIC", ask(two, "/two/x").body());
        assertEquals(403, ask(two, "/two/in/x").status(), "roles are those of its own realm");
        UsersFile others =
                UsersFile.read("users.xml", "<tomcat-users/>".getBytes(StandardCharsets.UTF_8));
        TestApp three = app("/three", "BASIC", signOn, others);
        assertEquals("null null", ask(three, "/three/x").body());
    }

    @Test
    void logIns_withoutSessions_areForgotten() throws Exception {
        SingleSignOn signOn = signOn(false);
        Realm realm = users("boss");
        TestApp one = app("/one", "BASIC", signOn, realm);
        TestApp two = app("/two", "BASIC", signOn, realm);
        ask(one, "/one/in/x", basic("ada", "secret"));
        one.start().stop();
        assertEquals("ada BASIC", ask(two, "/two/x").body());
        for (int i = 0; i < 64; i++) {
            two.get("/two/in/x", basic("bob", "pass"));
        }
        assertEquals("ada BASIC", ask(two, "/two/x").body(), "half an hour is left");
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(31));
        for (int i = 0; i < 130; i++) {
            two.get("/two/in/x", basic("bob", "pass"));
        }
        assertEquals("null null", ask(two, "/two/x").body());
    }
}
