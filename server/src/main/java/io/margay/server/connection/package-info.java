/// The life of HTTP/1.x on a connection: from bytes to exchanges and back.
@NullMarked
package io.margay.server.connection;

import org.jspecify.annotations.NullMarked;
