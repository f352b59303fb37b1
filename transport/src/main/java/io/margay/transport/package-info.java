/// The contract that the blocking, nio, native and memory transports fulfil.
@NullMarked
package io.margay.transport;

import org.jspecify.annotations.NullMarked;
