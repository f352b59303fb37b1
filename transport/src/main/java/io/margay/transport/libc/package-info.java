/// Calls into the C library of Linux through `java.lang.foreign`, and descriptors of sockets.
@NullMarked
package io.margay.transport.libc;

import org.jspecify.annotations.NullMarked;
