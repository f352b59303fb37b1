/// What all parts of QUIC share: versions, errors, integers on the wire (RFC 9000, RFC 9369).
@NullMarked
package io.margay.protocol.quic;

import org.jspecify.annotations.NullMarked;
