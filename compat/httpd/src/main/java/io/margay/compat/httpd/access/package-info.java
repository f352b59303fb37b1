/// Who may ask for what: `Require`, `Order`, `Allow`, `Deny`, and what closes files and folders.
@NullMarked
package io.margay.compat.httpd.access;

import org.jspecify.annotations.NullMarked;
