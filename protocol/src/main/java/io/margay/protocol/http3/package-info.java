/// HTTP/3: so far frames, settings (RFC 9114) and header compression, QPACK (RFC 9204).
@NullMarked
package io.margay.protocol.http3;

import org.jspecify.annotations.NullMarked;
