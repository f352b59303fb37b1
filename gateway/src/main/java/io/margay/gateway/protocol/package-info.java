/// How a request and its response look on a connection to a peer: HTTP/1.1, AJP13 and FastCGI
/// behind one interface. Nothing here reads or writes a socket.
@NullMarked
package io.margay.gateway.protocol;

import org.jspecify.annotations.NullMarked;
