/// What the JSP example's pages need in Java: a tag, an EL function, a servlet that forwards.
@NullMarked
package io.margay.examples.jsp;

import org.jspecify.annotations.NullMarked;
