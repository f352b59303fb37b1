/// The load generator: connections of our own client codecs on one loop.
@NullMarked
package io.margay.lab.load;

import org.jspecify.annotations.NullMarked;
