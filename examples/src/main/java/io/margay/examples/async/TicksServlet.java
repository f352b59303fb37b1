package io.margay.examples.async;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;

/// A server-sent-events stream of `count` ticks (1 to 60, normally 10), `millis` apart (10 to
/// 5000).
///
/// Each stream has a virtual thread of its own, which ends with the stream or with the client. The
/// last event is of type `end`, on which the page closes the stream; a browser would reconnect
/// else.
@WebServlet(urlPatterns = "/ticks", asyncSupported = true)
public final class TicksServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final System.Logger LOG = System.getLogger(TicksServlet.class.getName());

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        int count = Bounds.intParameter(request, "count", 10, 1, 60);
        int millis = Bounds.intParameter(request, "millis", 1000, 10, 5000);
        AsyncContext async = request.startAsync();
        async.setTimeout((long) count * millis + 10_000);
        Thread.ofVirtual().name("ticks-example").start(() -> stream(async, count, millis));
    }

    private static void stream(AsyncContext async, int count, int millis) {
        try {
            var response = (HttpServletResponse) async.getResponse();
            response.setContentType("text/event-stream");
            response.setCharacterEncoding("UTF-8");
            response.setHeader("Cache-Control", "no-store");
            PrintWriter out = response.getWriter();
            for (int i = 1; i <= count; i++) {
                out.write("id: " + i + "\ndata: tick " + i + " of " + count + "\n\n");
                if (out.checkError()) { // flushes, too
                    return;
                }
                Thread.sleep(millis);
            }
            out.write("event: end\ndata: " + count + "\n\n");
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "client went away", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(async);
        }
    }

    private static void end(AsyncContext async) {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            LOG.log(System.Logger.Level.DEBUG, "the container has ended it: the client left", e);
        }
    }
}
