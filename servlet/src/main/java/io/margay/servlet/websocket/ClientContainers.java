package io.margay.servlet.websocket;

import jakarta.websocket.ContainerProvider;
import jakarta.websocket.WebSocketContainer;

/// Gives applications the WebSocket client that `ContainerProvider.getWebSocketContainer` asks for.
/// Stateless; found by the API as a service.
public final class ClientContainers extends ContainerProvider {
    @Override
    protected WebSocketContainer getContainer() {
        return new ClientSide(Thread.currentThread().getContextClassLoader());
    }
}
