/// What the server does with files of Apache httpd.
@NullMarked
package io.margay.app.httpd;

import org.jspecify.annotations.NullMarked;
