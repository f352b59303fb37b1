/// Selector loops: the transport that works on every platform.
@NullMarked
package io.margay.transport.nio;

import org.jspecify.annotations.NullMarked;
