/// What mod_cache's directives say.
@NullMarked
package io.margay.compat.httpd.cache;

import org.jspecify.annotations.NullMarked;
