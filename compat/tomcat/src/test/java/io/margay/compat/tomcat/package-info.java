/// What the tests of Tomcat's filters share.
@NullMarked
package io.margay.compat.tomcat;

import org.jspecify.annotations.NullMarked;
