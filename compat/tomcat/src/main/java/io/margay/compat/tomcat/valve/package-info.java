/// Filters that stand for Tomcat's valves.
@NullMarked
package io.margay.compat.tomcat.valve;

import org.jspecify.annotations.NullMarked;
