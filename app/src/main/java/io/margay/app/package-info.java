/// The composition root: the embedding API, the command line, start and stop.
@NullMarked
package io.margay.app;

import org.jspecify.annotations.NullMarked;
