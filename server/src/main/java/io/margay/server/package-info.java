/// The composition root of a server: handler, dispatcher, limits, listeners, drain, counters.
@NullMarked
package io.margay.server;

import org.jspecify.annotations.NullMarked;
