package io.margay.examples.async;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Sends the body of a POST back while it arrives, by non-blocking input and output. Stateless.
@WebServlet(urlPatterns = "/echo", asyncSupported = true)
public final class EchoServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("application/octet-stream");
        AsyncContext async = request.startAsync();
        async.setTimeout(60_000);
        var echo = new Echo(async, request.getInputStream(), response.getOutputStream());
        request.getInputStream().setReadListener(echo);
        response.getOutputStream().setWriteListener(echo);
    }

    /// One echo in progress: at most one buffer is between the two streams.
    ///
    /// Guarded by its own lock, as containers may call the two listeners from two threads.
    private static final class Echo implements ReadListener, WriteListener {
        private static final System.Logger LOG = System.getLogger(Echo.class.getName());

        private final AsyncContext async;
        private final ServletInputStream in;
        private final ServletOutputStream out;
        private final byte[] buffer = new byte[8192];
        private boolean writable;
        private boolean allRead;
        private boolean done;

        Echo(AsyncContext async, ServletInputStream in, ServletOutputStream out) {
            this.async = async;
            this.in = in;
            this.out = out;
        }

        @Override
        public synchronized void onWritePossible() throws IOException {
            writable = true;
            move();
        }

        @Override
        public synchronized void onDataAvailable() throws IOException {
            move();
        }

        @Override
        public synchronized void onAllDataRead() throws IOException {
            allRead = true;
            move();
        }

        @Override
        public synchronized void onError(Throwable cause) {
            LOG.log(System.Logger.Level.DEBUG, "echo ended early", cause);
            end();
        }

        /// Reads only when the last write is through: the client that does not read is not read
        /// from.
        private void move() throws IOException {
            while (!done && writable && out.isReady()) {
                if (allRead) {
                    end();
                    return;
                }
                if (!in.isReady()) {
                    return;
                }
                int n = in.read(buffer);
                if (n > 0) {
                    out.write(buffer, 0, n);
                } else if (n < 0) {
                    allRead = true;
                }
            }
        }

        private void end() {
            if (!done) {
                done = true;
                async.complete();
            }
        }
    }
}
