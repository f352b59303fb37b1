/// Faults that tests bring about: a network that fails and a disk that fills up.
@NullMarked
package io.margay.testkit.fault;

import org.jspecify.annotations.NullMarked;
