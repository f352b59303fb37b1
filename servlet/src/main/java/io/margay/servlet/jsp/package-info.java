/// Pages by Jasper: its servlet, its initializer, and what it asks of a container (Pages 4.0).
@NullMarked
package io.margay.servlet.jsp;

import org.jspecify.annotations.NullMarked;
