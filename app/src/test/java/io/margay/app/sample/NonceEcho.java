package io.margay.app.sample;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// Reads content without blocking and sends it back. Confined to the container's callbacks.
final class NonceEcho implements ReadListener {
    private final AsyncContext context;
    private final String nonce;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    NonceEcho(AsyncContext context, String nonce) {
        this.context = context;
        this.nonce = nonce;
    }

    void begin() throws IOException {
        context.getRequest().getInputStream().setReadListener(this);
    }

    @Override
    public void onDataAvailable() throws IOException {
        ServletInputStream in = context.getRequest().getInputStream();
        byte[] buffer = new byte[1000];
        while (in.isReady()) {
            int read = in.read(buffer);
            if (read < 0) {
                return;
            }
            content.write(buffer, 0, read);
        }
    }

    @Override
    public void onAllDataRead() throws IOException {
        HttpServletResponse response = (HttpServletResponse) context.getResponse();
        response.setHeader("X-Nonce", nonce);
        response.getOutputStream().write(content.toByteArray());
        context.complete();
    }

    @Override
    public void onError(Throwable thrown) {
        context.complete();
    }
}
