/// HTTP/3: one endpoint for each UDP socket, and its connections.
@NullMarked
package io.margay.server.http3;

import org.jspecify.annotations.NullMarked;
