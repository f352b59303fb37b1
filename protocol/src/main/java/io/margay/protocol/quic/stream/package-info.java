/// Streams: data put back in order, data kept until it is acknowledged, flow control and states
/// (RFC 9000 §2 to §4).
@NullMarked
package io.margay.protocol.quic.stream;

import org.jspecify.annotations.NullMarked;
