/// Filters that applications written for Tomcat name in their web.xml and expect the server to bring.
/// The only classes of Margay that applications can see.
@NullMarked
package io.margay.servlet.compat;

import org.jspecify.annotations.NullMarked;
