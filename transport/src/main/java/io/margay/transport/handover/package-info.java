/// Listening sockets that one process hands to another, so that no connection is refused between
/// the two: over a Unix socket, or by the service manager. On Linux alone.
@NullMarked
package io.margay.transport.handover;

import org.jspecify.annotations.NullMarked;
