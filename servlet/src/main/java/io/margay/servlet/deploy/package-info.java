/// From a WAR or folder to a running application: unpacking, class loading, scanning, initializers
/// (Servlet 6.1 §8, §10).
@NullMarked
package io.margay.servlet.deploy;

import org.jspecify.annotations.NullMarked;
