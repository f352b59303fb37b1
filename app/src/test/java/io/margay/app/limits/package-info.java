/// What keeps clients within bounds.
@NullMarked
package io.margay.app.limits;

import org.jspecify.annotations.NullMarked;
