/// The server through JMX, under the names that Tomcat has there.
@NullMarked
package io.margay.app.jmx;

import org.jspecify.annotations.NullMarked;
