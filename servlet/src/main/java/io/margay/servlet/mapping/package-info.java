/// From a path to what is mapped there (Servlet 6.1 §12). No Servlet objects, no I/O.
@NullMarked
package io.margay.servlet.mapping;

import org.jspecify.annotations.NullMarked;
