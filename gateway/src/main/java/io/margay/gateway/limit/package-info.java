/// What is too much: how many requests hosts take of whom in which time, and at once.
@NullMarked
package io.margay.gateway.limit;

import org.jspecify.annotations.NullMarked;
