/// In what a directive stands: its section, and the reading that it is part of.
@NullMarked
package io.margay.compat.httpd.context;

import org.jspecify.annotations.NullMarked;
