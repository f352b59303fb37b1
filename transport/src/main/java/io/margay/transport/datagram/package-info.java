/// UDP on loops.
@NullMarked
package io.margay.transport.datagram;

import org.jspecify.annotations.NullMarked;
