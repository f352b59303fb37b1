/// Processes and what the operating system says about them.
@NullMarked
package io.margay.lab.machine;

import org.jspecify.annotations.NullMarked;
