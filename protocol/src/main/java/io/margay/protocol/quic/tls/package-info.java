/// Where QUIC meets TLS (RFC 9001 §4).
@NullMarked
package io.margay.protocol.quic.tls;

import org.jspecify.annotations.NullMarked;
