/// Which handler answers: host names, routes, and the stages before them.
@NullMarked
package io.margay.server.host;

import org.jspecify.annotations.NullMarked;
