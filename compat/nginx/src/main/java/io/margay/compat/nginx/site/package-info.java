/// What the directives of nginx say of hosts, locations, files and upstreams.
@NullMarked
package io.margay.compat.nginx.site;

import org.jspecify.annotations.NullMarked;
