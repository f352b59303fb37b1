/// What tests of several modules use.
@NullMarked
package io.margay.testkit;

import org.jspecify.annotations.NullMarked;
