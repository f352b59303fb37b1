/// What the directives of a server say, and the host that it becomes.
@NullMarked
package io.margay.compat.httpd.site;

import org.jspecify.annotations.NullMarked;
