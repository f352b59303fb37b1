/// The language of httpd's files: lines, quotes, sections, `Include`, `Define`, `Macro`, and the
/// table of all directives.
@NullMarked
package io.margay.compat.httpd.syntax;

import org.jspecify.annotations.NullMarked;
