/// Tests of the readers of httpd's and mod_jk's files.
@NullMarked
package io.margay.compat.httpd;

import org.jspecify.annotations.NullMarked;
