/// Configurations of httpd that say who may ask for what, made by chance, and requests to try them
/// with.
@NullMarked
package io.margay.app.agreement;

import org.jspecify.annotations.NullMarked;
