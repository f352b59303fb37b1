/// mod_md: the certificates that servers get by themselves.
@NullMarked
package io.margay.compat.httpd.domain;

import org.jspecify.annotations.NullMarked;
