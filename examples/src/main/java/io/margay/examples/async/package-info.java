/// Answers that come later or bit by bit, without a waiting container thread.
@NullMarked
package io.margay.examples.async;

import org.jspecify.annotations.NullMarked;
