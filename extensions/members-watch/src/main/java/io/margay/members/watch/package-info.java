/// Watches who the members of an upstream are.
@NullMarked
package io.margay.members.watch;

import org.jspecify.annotations.NullMarked;
