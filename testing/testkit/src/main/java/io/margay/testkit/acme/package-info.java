/// A certificate authority of others, for tests of orders.
@NullMarked
package io.margay.testkit.acme;

import org.jspecify.annotations.NullMarked;
