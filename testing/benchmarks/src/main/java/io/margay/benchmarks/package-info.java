/// JMH benchmarks; `testing/benchmarks/run` starts them.
@NullMarked
package io.margay.benchmarks;

import org.jspecify.annotations.NullMarked;
