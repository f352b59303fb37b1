/// The text of nginx's files: words, blocks, and which directives there are.
@NullMarked
package io.margay.compat.nginx.syntax;

import org.jspecify.annotations.NullMarked;
