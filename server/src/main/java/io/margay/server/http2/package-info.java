/// HTTP/2 on a connection.
@NullMarked
package io.margay.server.http2;

import org.jspecify.annotations.NullMarked;
