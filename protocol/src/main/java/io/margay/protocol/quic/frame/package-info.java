/// Frames and transport parameters: what they look like, and what they may say (RFC 9000 §18, §19).
@NullMarked
package io.margay.protocol.quic.frame;

import org.jspecify.annotations.NullMarked;
