/// Acknowledgements, lost packets and how fast to send (RFC 9002, RFC 9438, RFC 9406).
@NullMarked
package io.margay.protocol.quic.recovery;

import org.jspecify.annotations.NullMarked;
