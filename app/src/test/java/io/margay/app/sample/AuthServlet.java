package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Says who may pass by the cookie `who`, as a service that hosts ask by `auth-request`.
public final class AuthServlet extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String cookies = request.getHeader("Cookie");
        String who = cookies == null ? "" : cookies.replaceFirst(".*who=([a-z]*).*", "$1");
        String uri = request.getHeader("X-Forwarded-Uri");
        switch (who) {
            case "ada", "bob" -> {
                response.setStatus(204);
                response.setHeader("X-Auth-User", who);
                response.setHeader("X-Auth-Groups", who.equals("ada") ? "admins, staff" : "staff");
                response.setHeader("X-Auth-Seen", seen(request, uri));
                response.addHeader("Set-Cookie", "fresh=" + who);
            }
            case "anybody" -> response.setStatus(200);
            case "nobody" -> {
                response.setStatus(403);
                response.setContentType("text/plain");
                response.getWriter().print("not you");
            }
            case "basic" -> {
                response.setStatus(401);
                response.setHeader("WWW-Authenticate", "Bearer realm=x");
            }
            case "broken" -> response.setStatus(500);
            case "teapot" -> response.setStatus(418);
            case "huge" -> response.getOutputStream().write(new byte[1_000_000]);
            case "twice" -> {
                response.addHeader("X-Auth-User", "ada");
                response.addHeader("X-Auth-User", "bob");
            }
            default -> {
                response.setStatus(302);
                response.setHeader(
                        "Location",
                        "https://login.example/?rd=" + request.getHeader("X-Original-URL"));
                response.addHeader("Set-Cookie", "state=1");
            }
        }
    }

    private static String seen(HttpServletRequest request, String uri) throws IOException {
        return request.getMethod()
                + " "
                + request.getHeader("X-Forwarded-Method")
                + " "
                + uri
                + " "
                + request.getHeader("X-Forwarded-Host")
                + " "
                + request.getHeader("X-Forwarded-For")
                + " "
                + request.getHeader("X-Forwarded-Proto")
                + " "
                + request.getHeader("X-Auth-User")
                + " "
                + request.getHeader("If-None-Match")
                + " "
                + request.getInputStream().readAllBytes().length;
    }
}
