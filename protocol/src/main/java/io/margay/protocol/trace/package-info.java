/// Requests that were written down, to be sent again: a format of our own, and access logs.
@NullMarked
package io.margay.protocol.trace;

import org.jspecify.annotations.NullMarked;
