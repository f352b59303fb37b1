/// Where handlers run that may wait: worker threads or virtual threads.
@NullMarked
package io.margay.server.dispatch;

import org.jspecify.annotations.NullMarked;
