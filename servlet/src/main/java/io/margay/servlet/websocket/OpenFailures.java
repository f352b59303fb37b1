package io.margay.servlet.websocket;

import org.glassfish.tyrus.core.monitoring.ApplicationEventListener;
import org.glassfish.tyrus.core.monitoring.EndpointEventListener;
import org.glassfish.tyrus.core.monitoring.MessageEventListener;

/// Notices that an endpoint has failed while a session was opened: Tyrus tells the endpoint's
/// `@OnError` only, and leaves the session open. Stateless.
final class OpenFailures implements ApplicationEventListener, EndpointEventListener {
    private static final ScopedValue<boolean[]> OPENING = ScopedValue.newInstance();

    /// Opens a session.
    ///
    /// @return whether the endpoint failed meanwhile
    static boolean failsIn(Runnable opening) {
        boolean[] failed = new boolean[1];
        ScopedValue.where(OPENING, failed).run(opening);
        return failed[0];
    }

    @Override
    public void onError(String sessionId, Throwable thrown) {
        if (OPENING.isBound()) {
            OPENING.get()[0] = true;
        }
    }

    @Override
    public EndpointEventListener onEndpointRegistered(String path, Class<?> endpointClass) {
        return this;
    }

    @Override
    public MessageEventListener onSessionOpened(String sessionId) {
        return MessageEventListener.NO_OP;
    }

    @Override
    public void onSessionClosed(String sessionId) {}

    @Override
    public void onApplicationInitialized(String applicationName) {}

    @Override
    public void onApplicationDestroyed() {}

    @Override
    public void onEndpointUnregistered(String path) {}
}
