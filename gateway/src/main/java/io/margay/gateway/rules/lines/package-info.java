/// What is replaced in the lines of responses.
@NullMarked
package io.margay.gateway.rules.lines;

import org.jspecify.annotations.NullMarked;
