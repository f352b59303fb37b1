package io.margay.compat.tomcat.filter;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/// A response that calls a hook once before the first byte of its body is written. Confined to the
/// request.
final class CommitHookResponse extends HttpServletResponseWrapper {
    private final Runnable hook;
    private boolean called;
    private @Nullable ServletOutputStream output;
    private @Nullable PrintWriter writer;

    CommitHookResponse(HttpServletResponse response, Runnable hook) {
        super(response);
        this.hook = hook;
    }

    /// Calls the hook unless that happened before, or the response has gone without it.
    void callHook() {
        if (!called && !isCommitted()) {
            called = true;
            hook.run();
        }
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (output == null) {
            output = new HookedOutput(super.getOutputStream());
        }
        return output;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (writer == null) {
            writer = new PrintWriter(new HookedWriter(super.getWriter()));
        }
        return writer;
    }

    @Override
    public void flushBuffer() throws IOException {
        callHook();
        super.flushBuffer();
    }

    @Override
    public void reset() {
        super.reset();
        called = false;
        output = null;
        writer = null;
    }

    private final class HookedOutput extends ServletOutputStream {
        private final ServletOutputStream target;

        HookedOutput(ServletOutputStream target) {
            this.target = target;
        }

        @Override
        public boolean isReady() {
            return target.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            target.setWriteListener(listener);
        }

        @Override
        public void write(int b) throws IOException {
            callHook();
            target.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            callHook();
            target.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            callHook();
            target.flush();
        }

        @Override
        public void close() throws IOException {
            callHook();
            target.close();
        }
    }

    private final class HookedWriter extends Writer {
        private final PrintWriter target;

        HookedWriter(PrintWriter target) {
            this.target = target;
        }

        @Override
        public void write(char[] chars, int offset, int length) throws IOException {
            callHook();
            target.write(chars, offset, length);
            check();
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            callHook();
            target.write(text, offset, length);
            check();
        }

        @Override
        public void flush() throws IOException {
            callHook();
            target.flush();
            check();
        }

        @Override
        public void close() {
            callHook();
            target.close();
        }

        /// Lets `checkError` of the outer writer tell what the inner one knows. Nothing is flushed
        /// when no error is known.
        private void check() throws IOException {
            if (isCommitted() && target.checkError()) {
                throw new IOException("the response could not be written");
            }
        }
    }
}
