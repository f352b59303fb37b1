/// Asks services who clients are (`auth-request`): a request of its own for each that comes, whose
/// answer lets the client in, or is given to it.
@NullMarked
package io.margay.gateway.forward;

import org.jspecify.annotations.NullMarked;
