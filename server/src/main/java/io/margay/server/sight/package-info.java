/// What was served of late, in bounded memory: the last hour by whom it was served, the slowest
/// requests and those that failed, and those that are under way.
@NullMarked
package io.margay.server.sight;

import org.jspecify.annotations.NullMarked;
