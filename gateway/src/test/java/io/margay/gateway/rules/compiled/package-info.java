/// Tests of rules.
@NullMarked
package io.margay.gateway.rules.compiled;

import org.jspecify.annotations.NullMarked;
