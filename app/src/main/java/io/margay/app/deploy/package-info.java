/// Applications from their files to running ones, and from one configuration to the next.
@NullMarked
package io.margay.app.deploy;

import org.jspecify.annotations.NullMarked;
