/// What is compared, and how: the presets.
@NullMarked
package io.margay.lab.preset;

import org.jspecify.annotations.NullMarked;
