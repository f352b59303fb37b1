@NullMarked
package io.margay.compat.tomcat.rewrite;

import org.jspecify.annotations.NullMarked;
