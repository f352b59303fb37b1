/// JSON, and records as JSON.
@NullMarked
package io.margay.lab.json;

import org.jspecify.annotations.NullMarked;
