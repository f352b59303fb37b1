/// The process that serves, as its system and its neighbours see it: signals, age, memory beside
/// it, and the socket by which other commands reach it.
@NullMarked
package io.margay.app.process;

import org.jspecify.annotations.NullMarked;
