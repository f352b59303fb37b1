/// mod_proxy's workers and balancers, which become upstreams.
@NullMarked
package io.margay.compat.httpd.proxy;

import org.jspecify.annotations.NullMarked;
