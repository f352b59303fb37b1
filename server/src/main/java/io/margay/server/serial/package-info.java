/// Connections that carry one exchange after the other: what HTTP/1.1 and AJP13 share.
@NullMarked
package io.margay.server.serial;

import org.jspecify.annotations.NullMarked;
