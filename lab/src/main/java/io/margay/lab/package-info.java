/// The lab: runs a preset, server by server and round by round, and writes what was measured.
@NullMarked
package io.margay.lab;

import org.jspecify.annotations.NullMarked;
