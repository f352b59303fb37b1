/// A server that runs out of something.
@NullMarked
package io.margay.app.memory;

import org.jspecify.annotations.NullMarked;
