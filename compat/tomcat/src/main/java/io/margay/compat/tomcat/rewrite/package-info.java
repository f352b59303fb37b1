/// What stands for `RewriteValve`: the rules of a `rewrite.config`.
@NullMarked
package io.margay.compat.tomcat.rewrite;

import org.jspecify.annotations.NullMarked;
