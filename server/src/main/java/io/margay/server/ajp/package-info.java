/// AJP13 on a connection.
@NullMarked
package io.margay.server.ajp;

import org.jspecify.annotations.NullMarked;
