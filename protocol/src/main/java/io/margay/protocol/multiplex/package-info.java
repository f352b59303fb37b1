/// What protocols have in common that carry many messages on one connection.
@NullMarked
package io.margay.protocol.multiplex;

import org.jspecify.annotations.NullMarked;
