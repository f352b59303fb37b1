/// What the files come to: listeners, hosts, upstreams, and the account of every line.
@NullMarked
package io.margay.compat.httpd.plan;

import org.jspecify.annotations.NullMarked;
