/// Tomcat's `server.xml`: connectors, hosts and contexts.
@NullMarked
package io.margay.compat.tomcat.server;

import org.jspecify.annotations.NullMarked;
