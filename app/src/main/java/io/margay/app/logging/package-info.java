/// The log of the process: how its records are written.
@NullMarked
package io.margay.app.logging;

import org.jspecify.annotations.NullMarked;
