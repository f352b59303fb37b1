package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Timer;
import java.util.concurrent.CountDownLatch;

/// Leaves behind what an application should not, until [#end] is called or asked for by `?end`.
public final class LeavingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final ThreadLocal<LeavingServlet> LOCAL = new ThreadLocal<>();
    private static final CountDownLatch END = new CountDownLatch(1);
    private static Timer timer;
    private static Thread hook;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if ("end".equals(request.getQueryString())) {
            end();
            response.getWriter().print("ended");
            return;
        }
        LOCAL.set(this);
        timer = new Timer("left timer", true);
        hook = new Thread(LeavingServlet::await, "left hook");
        Runtime.getRuntime().addShutdownHook(hook);
        Thread thread = new Thread(LeavingServlet::await, "left thread");
        thread.setDaemon(true);
        thread.start();
        try {
            DriverManager.registerDriver(new LeftDriver());
        } catch (SQLException e) {
            throw new IOException(e);
        }
        response.getWriter().print("left");
    }

    private static void await() {
        try {
            END.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends all of it, but for the thread-local.
    public static void end() {
        END.countDown();
        timer.cancel();
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
