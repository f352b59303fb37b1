/// JMH benchmarks; `make jmh` starts them.
@NullMarked
package io.margay.benchmarks;

import org.jspecify.annotations.NullMarked;
