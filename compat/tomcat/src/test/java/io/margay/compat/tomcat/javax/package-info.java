@NullMarked
package io.margay.compat.tomcat.javax;

import org.jspecify.annotations.NullMarked;
