/// mod_jk: its workers, and which requests go to them.
@NullMarked
package io.margay.compat.httpd.jk;

import org.jspecify.annotations.NullMarked;
