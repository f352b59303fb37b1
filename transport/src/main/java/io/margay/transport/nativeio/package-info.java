/// Linux epoll loops through java.lang.foreign.
@NullMarked
package io.margay.transport.nativeio;

import org.jspecify.annotations.NullMarked;
