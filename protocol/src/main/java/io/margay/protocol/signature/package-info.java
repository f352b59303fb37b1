/// Signatures of HTTP messages (RFC 9421), as verifiers see them.
@NullMarked
package io.margay.protocol.signature;

import org.jspecify.annotations.NullMarked;
