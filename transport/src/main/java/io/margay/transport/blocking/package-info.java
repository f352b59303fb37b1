/// A virtual thread per connection on blocking channels.
@NullMarked
package io.margay.transport.blocking;

import org.jspecify.annotations.NullMarked;
