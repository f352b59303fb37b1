/// Other servers' configuration as `margay.yaml`.
@NullMarked
package io.margay.app.migrate;

import org.jspecify.annotations.NullMarked;
