/// Where the time of a request goes.
@NullMarked
package io.margay.server.timing;

import org.jspecify.annotations.NullMarked;
