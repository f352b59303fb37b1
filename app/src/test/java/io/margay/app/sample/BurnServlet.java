package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/// Takes as many milliseconds of a processor as its path says, as in `/burn/20`, and says how many
/// bytes it has got.
public final class BurnServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        int got = request.getInputStream().readAllBytes().length;
        String path = String.valueOf(request.getPathInfo());
        long until = used() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(path.substring(1)));
        while (used() - until < 0) {
            Thread.onSpinWait();
        }
        response.setContentType("text/html");
        response.getWriter().print("<title>burnt</title>" + got);
    }

    private static long used() {
        return Thread.currentThread().isVirtual()
                ? System.nanoTime()
                : ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
