/// Sizes and digests of what a client sends.
@NullMarked
package io.margay.examples.upload;

import org.jspecify.annotations.NullMarked;
