/// The keys of listeners.
@NullMarked
package io.margay.app.config.listener;

import org.jspecify.annotations.NullMarked;
