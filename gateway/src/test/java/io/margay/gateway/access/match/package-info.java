/// Tests of what sections are about.
@NullMarked
package io.margay.gateway.access.match;

import org.jspecify.annotations.NullMarked;
