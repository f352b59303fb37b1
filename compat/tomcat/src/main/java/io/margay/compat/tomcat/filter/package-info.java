/// What applications name as filters of Tomcat and is not a matter of the client: headers,
/// encodings, CORS, tokens against forged requests, expiry, draining.
@NullMarked
package io.margay.compat.tomcat.filter;

import org.jspecify.annotations.NullMarked;
