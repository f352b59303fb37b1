/// A cluster on one machine, to try.
@NullMarked
package io.margay.lab.cluster;

import org.jspecify.annotations.NullMarked;
