/// HTTP/3: so far its header compression, QPACK (RFC 9204).
@NullMarked
package io.margay.protocol.http3;

import org.jspecify.annotations.NullMarked;
