/// httpd's expressions and texts with variables, as conditions and templates of rules.
@NullMarked
package io.margay.compat.httpd.expression;

import org.jspecify.annotations.NullMarked;
