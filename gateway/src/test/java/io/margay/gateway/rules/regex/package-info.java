/// Tests of bounded searches.
@NullMarked
package io.margay.gateway.rules.regex;

import org.jspecify.annotations.NullMarked;
