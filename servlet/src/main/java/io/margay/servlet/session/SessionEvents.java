package io.margay.servlet.session;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/// Who hears of what happens to sessions. Called on the thread that causes the event, with the
/// application's class loader in place.
public interface SessionEvents {
    /// The application that sessions belong to.
    ServletContext context();

    /// A session was created.
    void created(WebSession session);

    /// A session is about to be invalidated; its attributes can still be read.
    void destroyed(WebSession session);

    /// A session has another identifier now.
    void idChanged(WebSession session, String oldId);

    /// An attribute was added (`before` null), replaced, or removed (`after` null).
    void attributeChanged(
            WebSession session, String name, @Nullable Object before, @Nullable Object after);

    /// Something has become of many sessions, for the log.
    default void told(String what) {}

    /// A listener of the application failed.
    void failed(String what, Throwable cause);
}
