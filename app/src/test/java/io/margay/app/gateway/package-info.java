/// The gateway of the whole server.
@NullMarked
package io.margay.app.gateway;

import org.jspecify.annotations.NullMarked;
