/// When a request is tried once more at another member.
@NullMarked
package io.margay.gateway.retry;

import org.jspecify.annotations.NullMarked;
