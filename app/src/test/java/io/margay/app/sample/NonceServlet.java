package io.margay.app.sample;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Answers each request with its nonce, by way of everything through which that of another might
/// come: path, query, fields, cookies, content, attributes, session, forward, include, async, error
/// pages. What does not agree is answered with 409. Mapped to `/n/*`.
public final class NonceServlet extends HttpServlet {
    private static final String MARK = "nonce";

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String nonce = request.getHeader("X-Nonce");
        if (nonce == null || !agrees(request, response, nonce)) {
            if (!response.isCommitted()) {
                response.reset();
                response.setStatus(409);
            }
            response.getWriter().print("mixed up: " + nonce + " " + request.getAttribute(MARK));
            return;
        }
        request.setAttribute(MARK, nonce);
        String path =
                request.getDispatcherType() == DispatcherType.INCLUDE
                        ? (String) request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO)
                        : request.getPathInfo();
        serve(path.substring(1, path.indexOf('/', 1)), nonce, request, response);
    }

    /// Whether everything that tells the nonce tells the same.
    private static boolean agrees(
            HttpServletRequest request, HttpServletResponse response, String nonce) {
        boolean first = request.getDispatcherType() == DispatcherType.REQUEST;
        Object mark = request.getAttribute(MARK);
        boolean cookie = false;
        for (Cookie one : request.getCookies()) {
            cookie |= one.getName().equals("n") && one.getValue().equals(nonce);
        }
        boolean error = request.getDispatcherType() == DispatcherType.ERROR;
        Object uri =
                error
                        ? request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI)
                        : request.getRequestURI();
        Object query =
                error
                        ? request.getAttribute(RequestDispatcher.ERROR_QUERY_STRING)
                        : request.getQueryString();
        return cookie
                && (first ? mark == null : nonce.equals(mark))
                && (!first || response.getHeader("X-Nonce") == null)
                && nonce.equals(request.getParameter("n"))
                && String.valueOf(uri).contains(nonce)
                && String.valueOf(query).contains(nonce);
    }

    private void serve(
            String kind, String nonce, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        switch (kind) {
            case "plain" -> answer(nonce, request, response);
            case "stream" -> stream(nonce, request, response);
            case "echo" -> echo(request.getInputStream().readAllBytes(), nonce, response);
            case "forward" -> to("plain", nonce, request).forward(request, response);
            case "include" -> {
                response.setHeader("X-Nonce", nonce);
                to("plain", nonce, request).include(request, response);
            }
            case "complete" -> {
                AsyncContext context = request.startAsync();
                context.start(() -> complete(context, nonce));
            }
            case "dispatch" -> {
                AsyncContext context = request.startAsync();
                context.start(() -> context.dispatch(target("plain", nonce)));
            }
            case "timeout" -> {
                AsyncContext context = request.startAsync();
                context.setTimeout(5);
            }
            case "nonblocking" -> new NonceEcho(request.startAsync(), nonce).begin();
            case "fail" -> throw new IllegalStateException(nonce);
            case "teapot" -> response.sendError(418, nonce);
            case "failed" -> failed(nonce, request, response);
            case "session" -> session(nonce, request, response);
            case "cut" -> {
                answer(nonce, request, response);
                response.flushBuffer();
                throw new IllegalStateException("cut");
            }
            default -> response.sendError(404);
        }
    }

    private static String target(String kind, String nonce) {
        return "/n/" + kind + "/" + nonce + "?added=" + nonce;
    }

    private static RequestDispatcher to(String kind, String nonce, HttpServletRequest request) {
        return request.getRequestDispatcher(target(kind, nonce));
    }

    private static void answer(
            String nonce, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setHeader("X-Nonce", nonce);
        response.setContentType("text/plain; charset=UTF-8");
        int times = Integer.parseInt(request.getParameter("times"));
        for (int i = 0; i < times; i++) {
            response.getWriter().write(nonce);
        }
    }

    private static void stream(
            String nonce, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setHeader("X-Nonce", nonce);
        int times = Integer.parseInt(request.getParameter("times"));
        byte[] bytes = nonce.getBytes(StandardCharsets.US_ASCII);
        response.setContentLength(bytes.length * times);
        for (int i = 0; i < times; i++) {
            response.getOutputStream().write(bytes);
        }
    }

    private static void echo(byte[] content, String nonce, HttpServletResponse response)
            throws IOException {
        response.setHeader("X-Nonce", nonce);
        response.getOutputStream().write(content);
    }

    private static void complete(AsyncContext context, String nonce) {
        try {
            answer(
                    nonce,
                    (HttpServletRequest) context.getRequest(),
                    (HttpServletResponse) context.getResponse());
        } catch (IOException | RuntimeException e) {
            // The client has left; there is nobody to tell.
        } finally {
            context.complete();
        }
    }

    /// The error page: the nonce comes by the error that led here, if it carried one.
    private static void failed(
            String nonce, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Object thrown = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        Object message = request.getAttribute(RequestDispatcher.ERROR_MESSAGE);
        boolean right =
                thrown instanceof IllegalStateException e
                        ? nonce.equals(e.getMessage())
                        : response.getStatus() == 418 ? nonce.equals(message) : true;
        response.setHeader("X-Nonce", nonce);
        response.getWriter().print(right ? nonce : "another's error: " + message);
    }

    /// Tells what the session kept before.
    private static void session(
            String nonce, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpSession session = request.getSession();
        Object before = session.getAttribute(MARK);
        session.setAttribute(MARK, nonce);
        response.setHeader("X-Before", String.valueOf(before));
        answer(nonce, request, response);
    }
}
