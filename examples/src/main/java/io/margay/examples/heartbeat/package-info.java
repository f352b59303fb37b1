/// The heartbeat page, written by a servlet.
@NullMarked
package io.margay.examples.heartbeat;

import org.jspecify.annotations.NullMarked;
