/// What tests of all modules share.
@NullMarked
package io.margay.testkit;

import org.jspecify.annotations.NullMarked;
