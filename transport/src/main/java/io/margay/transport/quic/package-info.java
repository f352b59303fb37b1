/// What QUIC needs of a transport: datagrams, and the handshake of TLS without its records.
@NullMarked
package io.margay.transport.quic;

import org.jspecify.annotations.NullMarked;
