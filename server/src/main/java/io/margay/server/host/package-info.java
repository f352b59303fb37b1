/// Which handler answers: host names and routes.
@NullMarked
package io.margay.server.host;

import org.jspecify.annotations.NullMarked;
