/// Load: who asks what and when and what came of it.
@NullMarked
package io.margay.lab.load;

import org.jspecify.annotations.NullMarked;
