/// What a server has served of late, for whoever looks at it in a terminal.
@NullMarked
package io.margay.app.sight;

import org.jspecify.annotations.NullMarked;
