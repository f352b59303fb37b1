/// Why a request took long.
@NullMarked
package io.margay.app.slow;

import org.jspecify.annotations.NullMarked;
