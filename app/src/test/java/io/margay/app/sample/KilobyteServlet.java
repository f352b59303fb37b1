package io.margay.app.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/// Puts a kilobyte into each new session, and says whether a session has it. With a query it only
/// looks at the heap, which it also does while kilobytes are written and read, each
/// `margay.sessions.look` times: what is in use after a collection goes into the file
/// `margay.sessions.looks`, as a line with the process, what was done, how often, and bytes.
public final class KilobyteServlet extends HttpServlet {
    private static final int EVERY = Integer.getInteger("margay.sessions.look", 0);
    private static final Path LOOKS = Path.of(System.getProperty("margay.sessions.looks", "looks"));

    /// What a session has.
    public static final class Kilobyte implements Serializable {
        private static final long serialVersionUID = 1L;
        private static final AtomicInteger WRITTEN = new AtomicInteger();
        private static final AtomicInteger READ = new AtomicInteger();

        private final byte[] bytes = new byte[1_024];

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            count("written", WRITTEN.incrementAndGet());
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            count("read", READ.incrementAndGet());
        }

        private static void count(String done, int times) throws IOException {
            if (EVERY > 0 && times % EVERY == 0) {
                look(done, times);
            }
        }
    }

    private static synchronized void look(String done, int times) throws IOException {
        System.gc();
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        Files.writeString(
                LOOKS,
                "%d %s %d %d\n".formatted(ProcessHandle.current().pid(), done, times, used),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/plain");
        if (request.getQueryString() != null) {
            look(request.getQueryString(), 0);
            response.getWriter().print("seen");
            return;
        }
        HttpSession session = request.getSession();
        boolean there =
                session.getAttribute("data") instanceof Kilobyte data && data.bytes.length > 0;
        if (!there) {
            session.setAttribute("data", new Kilobyte());
        }
        response.getWriter().print(there ? "there" : "fresh");
    }
}
