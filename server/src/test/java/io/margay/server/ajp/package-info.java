/// AJP13 listeners, tested with front ends of our own and with real ones.
@NullMarked
package io.margay.server.ajp;

import org.jspecify.annotations.NullMarked;
