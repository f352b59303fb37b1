/// The files of one application: its folder, then `META-INF/resources` of its libraries (Servlet
/// 6.1 §4.6, §10.5).
@NullMarked
package io.margay.servlet.resource;

import org.jspecify.annotations.NullMarked;
