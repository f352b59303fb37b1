/// Programs of others that tests run, and what becomes of a test without them.
@NullMarked
package io.margay.testkit.program;

import org.jspecify.annotations.NullMarked;
