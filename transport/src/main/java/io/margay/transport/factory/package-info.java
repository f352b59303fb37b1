/// Makes a transport by its name, or the best of this machine.
@NullMarked
package io.margay.transport.factory;

import org.jspecify.annotations.NullMarked;
