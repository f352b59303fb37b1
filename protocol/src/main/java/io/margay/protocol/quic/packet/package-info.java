/// Headers of packets, as far as they can be read without keys, and packet numbers (RFC 9000 §17).
@NullMarked
package io.margay.protocol.quic.packet;

import org.jspecify.annotations.NullMarked;
