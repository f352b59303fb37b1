/// Tests of the reader of nginx.conf.
@NullMarked
package io.margay.compat.nginx;

import org.jspecify.annotations.NullMarked;
