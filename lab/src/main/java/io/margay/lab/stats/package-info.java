/// What follows from several rounds: medians, intervals, verdicts.
@NullMarked
package io.margay.lab.stats;

import org.jspecify.annotations.NullMarked;
