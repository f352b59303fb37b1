/// Pages that list folders, as mod_autoindex makes them.
@NullMarked
package io.margay.gateway.listing;

import org.jspecify.annotations.NullMarked;
