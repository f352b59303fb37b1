/// The documentation as a site: what is rendered from the Markdown of `docs`, and the command that
/// serves it.
@NullMarked
package io.margay.app.docs;

import org.jspecify.annotations.NullMarked;
