/// Users in a directory (LDAP v3): who has which password, and what a directory says of who it is.
@NullMarked
package io.margay.gateway.directory;

import org.jspecify.annotations.NullMarked;
