/// What Servlet 6, Pages 4 and Expression Language 6 have removed, with the behaviour that it had
/// in Tomcat 9: converted applications call it here. They see these classes, so nothing else
/// belongs into this package.
@NullMarked
package io.margay.compat.tomcat.removed;

import org.jspecify.annotations.NullMarked;
