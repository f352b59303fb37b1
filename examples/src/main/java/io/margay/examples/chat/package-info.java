/// Example `chat`: people who write to each other in rooms, by WebSocket.
@NullMarked
package io.margay.examples.chat;

import org.jspecify.annotations.NullMarked;
