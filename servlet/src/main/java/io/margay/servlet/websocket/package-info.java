/// Jakarta WebSocket 2.2: endpoints, sessions and frames are Tyrus's; what carries them is an
/// upgraded connection of the engine.
@NullMarked
package io.margay.servlet.websocket;

import org.jspecify.annotations.NullMarked;
