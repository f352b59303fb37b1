/// Margay beside Apache httpd with the same files.
@NullMarked
package io.margay.app.agreement.httpd;

import org.jspecify.annotations.NullMarked;
