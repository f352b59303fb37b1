/// Drives applications that were written for Tomcat 9 and before, here and there.
@NullMarked
package io.margay.frameworks.javax;

import org.jspecify.annotations.NullMarked;
