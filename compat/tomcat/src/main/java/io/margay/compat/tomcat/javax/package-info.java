/// Makes applications that were written for the javax packages (Servlet 4.0 and before) into such
/// that run on the jakarta ones.
@NullMarked
package io.margay.compat.tomcat.javax;

import org.jspecify.annotations.NullMarked;
