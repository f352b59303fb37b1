/// What this server shares with others of its group, as configured and at work.
@NullMarked
package io.margay.app.shared;

import org.jspecify.annotations.NullMarked;
