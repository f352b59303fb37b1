/// What a listener makes of connections.
@NullMarked
package io.margay.app.listener;

import org.jspecify.annotations.NullMarked;
