package io.margay.examples.async;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Answers after `millis` milliseconds (0 to 10 000, normally 500) without a thread waiting.
///
/// The request is started on a container thread and completed on the one thread of `scheduler`.
@WebServlet(urlPatterns = "/timer", asyncSupported = true)
public final class TimerServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final System.Logger LOG = System.getLogger(TimerServlet.class.getName());

    private final transient ScheduledExecutorService scheduler =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("timer-example").factory());

    @Override
    public void destroy() {
        scheduler.shutdownNow();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        int millis = Bounds.intParameter(request, "millis", 500, 0, 10_000);
        AsyncContext async = request.startAsync();
        async.setTimeout(20_000);
        var _ = scheduler.schedule(() -> answer(async, millis), millis, TimeUnit.MILLISECONDS);
    }

    private static void answer(AsyncContext async, int millis) {
        try {
            var response = (HttpServletResponse) async.getResponse();
            response.setContentType("text/plain; charset=UTF-8");
            response.getWriter().write("answered after " + millis + " ms\n");
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "client went away", e);
        } finally {
            async.complete();
        }
    }
}
