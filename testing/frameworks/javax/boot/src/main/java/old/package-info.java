/// An application as it was written for Tomcat 9 or before.
@NullMarked
package old;

import org.jspecify.annotations.NullMarked;
