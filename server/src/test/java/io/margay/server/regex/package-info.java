/// Tests of bounded expressions.
@NullMarked
package io.margay.server.regex;

import org.jspecify.annotations.NullMarked;
