/// TLS by JSSE over any transport.
@NullMarked
package io.margay.transport.tls;

import org.jspecify.annotations.NullMarked;
