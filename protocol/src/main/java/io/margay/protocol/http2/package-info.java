/// HTTP/2 (RFC 9113) with HPACK (RFC 7541) as a pure state machine, both directions: frames in,
/// events out, and frames to send collected in a buffer.
@NullMarked
package io.margay.protocol.http2;

import org.jspecify.annotations.NullMarked;
