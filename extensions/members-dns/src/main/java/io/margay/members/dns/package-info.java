/// Asks the DNS who the members of an upstream are.
@NullMarked
package io.margay.members.dns;

import org.jspecify.annotations.NullMarked;
