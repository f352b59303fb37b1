/// Tests of rules.
@NullMarked
package io.margay.gateway.rules;

import org.jspecify.annotations.NullMarked;
