/// What a run has found, in sentences.
@NullMarked
package io.margay.lab.finding;

import org.jspecify.annotations.NullMarked;
