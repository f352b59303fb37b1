/// What a run measured, as its JSON file holds it, and what follows from it.
@NullMarked
package io.margay.lab.result;

import org.jspecify.annotations.NullMarked;
