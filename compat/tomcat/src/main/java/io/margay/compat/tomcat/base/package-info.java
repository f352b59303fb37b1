/// The files of a `CATALINA_BASE` that others refer to: properties, and XML with properties in it.
@NullMarked
package io.margay.compat.tomcat.base;

import org.jspecify.annotations.NullMarked;
