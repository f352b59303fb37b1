/// Makes what is installed out of the distribution: an archive with Java, a Debian package, an
/// image.
@NullMarked
package io.margay.packages;

import org.jspecify.annotations.NullMarked;
