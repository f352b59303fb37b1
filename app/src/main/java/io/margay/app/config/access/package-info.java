/// The keys of hosts and routes that say who may ask for what.
@NullMarked
package io.margay.app.config.access;

import org.jspecify.annotations.NullMarked;
