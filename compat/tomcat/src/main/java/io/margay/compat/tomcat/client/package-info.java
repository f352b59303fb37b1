/// Who a client is, and whether it may come in: addresses, proxies in front, limits of requests.
/// They take the place of filters and valves of Tomcat.
@NullMarked
package io.margay.compat.tomcat.client;

import org.jspecify.annotations.NullMarked;
