/// What applications written for Tomcat name of Tomcat: its filters, and the settings of
/// `META-INF/context.xml`, done by classes of our own.
@NullMarked
package io.margay.compat.tomcat.application;

import org.jspecify.annotations.NullMarked;
