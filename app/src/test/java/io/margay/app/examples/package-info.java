/// The example applications, run over every transport and asked as a browser would.
@NullMarked
package io.margay.app.examples;

import org.jspecify.annotations.NullMarked;
