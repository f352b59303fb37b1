/// Text that is replaced in responses on their way to clients.
@NullMarked
package io.margay.gateway.substitute;

import org.jspecify.annotations.NullMarked;
