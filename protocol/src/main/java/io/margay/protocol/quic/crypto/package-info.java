/// Keys of packets: how they are derived, applied and replaced (RFC 9001 §5, §6).
@NullMarked
package io.margay.protocol.quic.crypto;

import org.jspecify.annotations.NullMarked;
