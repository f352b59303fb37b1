/// What files of nginx amount to.
@NullMarked
package io.margay.compat.nginx.plan;

import org.jspecify.annotations.NullMarked;
