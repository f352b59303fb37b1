/// Margay as a plug-in of Maven: a project's web application while it is worked on.
@NullMarked
package io.margay.maven;

import org.jspecify.annotations.NullMarked;
