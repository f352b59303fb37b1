/// Regular expressions of configurations, searched within bounds. Imports nothing of the server but
/// its exchanges.
@NullMarked
package io.margay.server.regex;

import org.jspecify.annotations.NullMarked;
