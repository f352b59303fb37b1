/// HTTP/1.1 on a connection.
@NullMarked
package io.margay.server.http1;

import org.jspecify.annotations.NullMarked;
