/// Reads the files of httpd with mod_jk and mod_proxy into what the gateway works from, with an
/// account of every line.
@NullMarked
package io.margay.compat.httpd;

import org.jspecify.annotations.NullMarked;
