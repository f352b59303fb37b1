package io.margay.compat.tomcat.javax;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.compat.tomcat.application.AppServer;
import io.margay.testkit.Archives;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pages and tag files of converted applications call what was removed.
final class OldPagesTest {
    private static final String CALLS =
            """
            <% session.putValue("a", "1"); session.putValue("b", "2"); session.removeValue("b"); %>
            <%= session.getValue("a") %> <%= session.getValue("b") %>
            <%= session.getValueNames().length %>
            <%= session.getSessionContext().getIds().hasMoreElements() %>
            <%= response.encodeUrl("/u") %> <%= response.encodeRedirectUrl("/r") %>
            <%= request.isRequestedSessionIdFromUrl() %>
            <%= request.getRealPath("/x").endsWith("/x") %>
            <%= application.getServlet("any") %>
            <%= application.getServlets().hasMoreElements() %>
            <%= application.getServletNames().hasMoreElements() %>
            <% application.log(new java.io.IOException("meant"), "logged"); %>
            <%= HttpUtils.parseQueryString("x=y").get("x")[0] %>
            <% response.setStatus(203, "said so"); %>
            """;

    private static final String PAGE =
            """
            <%@ page import="java.util.function.*" %>
            <%! private static class Marking extends HttpServletResponseWrapper {
                    Marking(HttpServletResponse r) { super(r); }
                    @Override public String encodeUrl(String u) {
                        return super.encodeUrl(u) + "?marked";
                    }
                } %>
            """
                    + CALLS
                    + """
                    <%= new HttpServletResponseWrapper(new Marking(response)).encodeUrl("/m") %>
                    <% final HttpSession own = session;
                       Function<String, Object> get = own::getValue;
                       Supplier<Object> inner = new Supplier<>() {
                           @Override public Object get() { return own.getValue("a"); }
                       }; %>
                    <%= get.apply("a") %> <%= inner.get() %>
                    <%= pageContext.getVariableResolver().resolveVariable("none") %>
                    <%= pageContext.getExpressionEvaluator()
                            .evaluate("${1 + 1}", Integer.class, null, null) %>
                    <%= new JspException("f", new Error("root")).getRootCause().getMessage() %>
                    <%= new UnavailableException(this, "gone").getServlet() == this %>
                    <%= pageContext.getELContext().getELResolver()
                            .getFeatureDescriptors(pageContext.getELContext(), null) %>
                    """;

    private static final String ANSWER = "1 null 1 false /u /r false true null false false y";

    @TempDir Path temp;

    private static void says(String expected, HttpResponse<String> response) {
        assertEquals(expected, response.body().strip().replaceAll("\\s+", " "));
        assertEquals(203, response.statusCode());
    }

    private Archives files() {
        return OldApplication.files(temp, 3)
                .text("old.jsp", PAGE)
                .text("WEB-INF/tags/old.tag", "<%@ tag import=\"javax.servlet.http.*\" %>" + CALLS)
                .text("tag.jsp", "<%@ taglib tagdir=\"/WEB-INF/tags\" prefix=\"f\" %><f:old/>");
    }

    @Test
    void pageAndTagFile_callRemovedMethods_alsoWhenCompiledBefore() {
        Path war = files().to(temp.resolve("old.war"));
        for (int start = 0; start < 2; start++) {
            try (AppServer server =
                    AppServer.start(war, "/app", temp.resolve("work"), UnaryOperator.identity())) {
                says(ANSWER + " /m?marked 1 1 null 2 root true null", server.get("/old.jsp"));
                says(ANSWER, server.get("/tag.jsp"));
            }
        }
    }
}
