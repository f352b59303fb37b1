/// Listening on Unix sockets: the file by which clients find one, and who may.
@NullMarked
package io.margay.transport.unix;

import org.jspecify.annotations.NullMarked;
