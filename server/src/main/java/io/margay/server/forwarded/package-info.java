/// What front ends that are trusted tell of a request by its fields.
@NullMarked
package io.margay.server.forwarded;

import org.jspecify.annotations.NullMarked;
