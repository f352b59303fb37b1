/// HTTP/1.0 and HTTP/1.1 on the wire, both directions (RFC 9112). The rules are strict: any doubt
/// about where a message ends is an error, after which the connection must be closed.
@NullMarked
package io.margay.protocol.http1;

import org.jspecify.annotations.NullMarked;
