/// One connection: packets in and out, ids, paths, closing; and what a server answers to packets
/// that belong to none (RFC 9000 §5 to §10).
@NullMarked
package io.margay.protocol.quic.connection;

import org.jspecify.annotations.NullMarked;
