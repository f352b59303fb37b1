package io.margay.servlet.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.security.AccessRequirement;
import io.margay.servlet.security.UsersFile;
import io.margay.servlet.test.ConstraintOracle;
import io.margay.servlet.test.ScriptedExchange;
import io.margay.servlet.test.TestApp;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Constraints are of what the client asked for, and of nothing that it is dispatched to (Servlet
/// 6.1 §13.2): generated constraints, users, methods, paths and dispatchers, through the engine.
///
/// More cases than the build has time for: `-Dmargay.cases=1000000`.
final class ConstraintDispatchTest {
    private static final int CASES = Integer.getInteger("margay.cases", 10_000);
    private static final int CASES_PER_APP = 200;

    private static final List<String> USERS = List.of("", "p", "q", "r", "none");

    private static UsersFile users() {
        StringBuilder xml = new StringBuilder("<tomcat-users>");
        for (String user : USERS) {
            if (!user.isEmpty()) {
                xml.append("<user username='").append(user).append("' password='x' roles='");
                xml.append(user.equals("none") ? "" : user).append("'/>");
            }
        }
        return UsersFile.read(
                "users", xml.append("</tomcat-users>").toString().getBytes(StandardCharsets.UTF_8));
    }

    private static TestApp app(List<SecurityConstraint> constraints, String errorPath) {
        TestApp app =
                TestApp.root()
                        .login("BASIC")
                        .role("p")
                        .role("q")
                        .settings(settings -> settings.withRealm(users()))
                        .errorPage(418, null, errorPath)
                        .servlet("/*", ConstraintDispatchTest::serve);
        constraints.forEach(app::constraint);
        return app;
    }

    private static void serve(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String target = request.getHeader("X-Target");
        RequestDispatcher dispatcher = request.getRequestDispatcher(target);
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            switch (DispatcherType.valueOf(request.getHeader("X-Type"))) {
                case REQUEST -> response.setHeader("X-Reached", "REQUEST");
                case FORWARD -> dispatcher.forward(request, response);
                case INCLUDE -> {
                    // An included servlet sets no header fields.
                    dispatcher.include(request, response);
                    response.setHeader("X-Reached", "" + request.getAttribute("reached"));
                }
                case ASYNC -> request.startAsync().dispatch(target);
                case ERROR -> response.sendError(418);
            }
        } else {
            request.setAttribute("reached", request.getDispatcherType());
            response.setHeader("X-Reached", request.getDispatcherType().name());
        }
    }

    @Test
    void anyDispatch_generated_asksWhatTheOracleAsks() throws Exception {
        long seed = Long.getLong("margay.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int done = 0; done < CASES; done += CASES_PER_APP) {
            List<SecurityConstraint> constraints = new ArrayList<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                constraints.add(ConstraintOracle.generated(random));
            }
            TestApp app = app(constraints, one(random, ConstraintOracle.PATHS));
            for (int i = 0; i < CASES_PER_APP; i++) {
                check(app, constraints, random, seed);
            }
            app.start().stop();
        }
    }

    private static void check(
            TestApp app, List<SecurityConstraint> constraints, Random random, long seed)
            throws IOException {
        String method = one(random, ConstraintOracle.METHODS);
        String path = one(random, ConstraintOracle.PATHS);
        String target = one(random, ConstraintOracle.PATHS);
        DispatcherType type = one(random, List.of(DispatcherType.values()));
        String user = one(random, USERS);
        AccessRequirement requirement =
                ConstraintOracle.requirement(constraints, false, method, path);
        String credentials =
                Base64.getEncoder().encodeToString((user + ":x").getBytes(StandardCharsets.UTF_8));
        ScriptedExchange answer =
                app.run(
                        ScriptedExchange.of(
                                method,
                                path,
                                new byte[0],
                                "X-Target: " + target,
                                "X-Type: " + type,
                                user.isEmpty()
                                        ? "X-None: x"
                                        : "Authorization: Basic " + credentials));
        String expected = expected(requirement, user, type);
        String reached = answer.field("X-Reached");
        assertEquals(
                expected,
                reached == null ? String.valueOf(answer.status()) : reached,
                () ->
                        String.join(
                                " ",
                                "seed",
                                String.valueOf(seed),
                                method,
                                path,
                                type.name(),
                                target,
                                user,
                                constraints.toString()));
    }

    /// The dispatcher that reached a servlet, or the status that says why none did.
    private static String expected(
            AccessRequirement requirement, String user, DispatcherType type) {
        if (requirement.denied() || requirement.confidential()) {
            return "403"; // The exchange is not over TLS.
        }
        if (requirement.needsUser()) {
            if (user.isEmpty()) {
                return "401";
            }
            for (Set<String> roles : requirement.roles()) {
                if (!roles.contains(user)) {
                    return "403";
                }
            }
        }
        return type.name();
    }

    private static <T> T one(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
