/// What the event-loop transports share: loops, connection states, task queues, deadlines.
@NullMarked
package io.margay.transport.loop;

import org.jspecify.annotations.NullMarked;
