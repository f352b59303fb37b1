/// The access log.
@NullMarked
package io.margay.server.log;

import org.jspecify.annotations.NullMarked;
