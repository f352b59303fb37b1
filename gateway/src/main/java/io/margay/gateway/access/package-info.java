/// Who may ask for what: sections about paths, folders, files and peers, walked for each request in
/// httpd's order and merged as its modules merge them.
@NullMarked
package io.margay.gateway.access;

import org.jspecify.annotations.NullMarked;
