/// The effective deployment descriptor of one application: web.xml, fragments and annotations
/// merged (Servlet 6.1 §8, §14). Data only.
@NullMarked
package io.margay.servlet.descriptor;

import org.jspecify.annotations.NullMarked;
