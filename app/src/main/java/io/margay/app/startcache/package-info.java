/// The cache from which the JVM takes our classes at the next start, and the quiet helper that
/// makes it: when it may, one at a time, within a bound of processor time.
@NullMarked
package io.margay.app.startcache;

import org.jspecify.annotations.NullMarked;
