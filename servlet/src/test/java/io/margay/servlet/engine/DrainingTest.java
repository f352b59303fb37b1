package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A server that its load balancer has disabled (`JK_LB_ACTIVATION`), and session identifiers with
/// the route by which the load balancer knows it.
final class DrainingTest {
    private static TestApp app() {
        return TestApp.at("/app")
                .settings(
                        s -> s.withSessions(s.sessions().withRoute("tc1").withDrainDisabled(true)))
                .servlet("/a/*", (q, r) -> r.getWriter().print(q.getSession().getId()));
    }

    private static ScriptedExchange ask(
            TestApp app, String target, String activation, String... fields) throws Exception {
        return app.run(
                ScriptedExchange.get(target, fields)
                        .fromFrontEnd("ann", Map.of("JK_LB_ACTIVATION", activation)));
    }

    @Test
    void disabled_requestWithoutSession_isSentOn() throws Exception {
        ScriptedExchange answer = ask(app(), "/app/a/b?x=1", "DIS");
        assertEquals(307, answer.status());
        assertEquals("/app/a/b?x=1", answer.fields().get("Location"));
        assertNull(answer.fields().get("Set-Cookie"));
    }

    @Test
    void disabled_requestWithSessionOfAnother_losesTheIdentifierThatLedItHere() throws Exception {
        String id = "0".repeat(32) + ".tc1";
        ScriptedExchange answer =
                ask(app(), "/app/a;jsessionid=" + id, "DIS", "Cookie: JSESSIONID=" + id);
        assertEquals(307, answer.status());
        assertEquals("/app/a", answer.fields().get("Location"));
        String cookie = String.valueOf(answer.fields().get("Set-Cookie"));
        assertTrue(cookie.startsWith("JSESSIONID=;"), cookie);
        assertTrue(cookie.contains("Expires=Thu, 01 Jan 1970"), cookie);
        assertTrue(cookie.contains("Path=/app"), cookie);
    }

    @Test
    void disabled_requestWithLiveSession_isServed() throws Exception {
        TestApp app = app();
        String id = ask(app, "/app/a", "ACT").body();
        assertTrue(id.matches("[0-9A-F]{32}\\.tc1"), id);
        assertEquals(id, ask(app, "/app/a", "DIS", "Cookie: JSESSIONID=" + id).body());
    }

    @Test
    void disabled_pathWithTwoSlashes_leadsToNoOtherHost() throws Exception {
        TestApp app =
                TestApp.root()
                        .settings(s -> s.withSessions(s.sessions().withDrainDisabled(true)))
                        .servlet("/*", (q, r) -> r.getWriter().print("served"));
        ScriptedExchange answer = ask(app, "//evil.example/x", "DIS");
        if (answer.status() == 307) {
            assertEquals("/evil.example/x", answer.fields().get("Location"));
        } else {
            assertEquals(400, answer.status());
        }
    }
}
