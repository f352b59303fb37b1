/// The load generator: a process of its own with one thread that asks and measures; and connections
/// that are only held.
@NullMarked
package io.margay.lab.generator;

import org.jspecify.annotations.NullMarked;
