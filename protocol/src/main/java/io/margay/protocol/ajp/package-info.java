/// AJP13, the protocol between web servers and servlet containers, in both directions: packets in,
/// values out, and back. Pure: no sockets, threads, clocks or logging.
@NullMarked
package io.margay.protocol.ajp;

import org.jspecify.annotations.NullMarked;
