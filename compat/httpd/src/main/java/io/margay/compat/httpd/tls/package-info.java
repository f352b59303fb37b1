/// mod_ssl: what the directives of a server say of TLS, and how the listeners speak it.
@NullMarked
package io.margay.compat.httpd.tls;

import org.jspecify.annotations.NullMarked;
