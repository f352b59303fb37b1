package io.margay.app.sample;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/// An application whose start writes a line into the file of the context parameter `starts`, and
/// lasts until there is a file named as that with `.go`.
public final class WaitingStart implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        Path starts = Path.of(event.getServletContext().getInitParameter("starts"));
        try {
            Files.writeString(
                    starts, "start\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long end = System.nanoTime() + 60_000_000_000L;
        while (!Files.exists(Path.of(starts + ".go")) && System.nanoTime() < end) {
            LockSupport.parkNanos(5_000_000L);
        }
    }
}
