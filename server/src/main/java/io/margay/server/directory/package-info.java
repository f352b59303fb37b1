/// Connections to a directory (LDAP v3): how it is reached, who logs in to search, and whose
/// certificates are trusted.
@NullMarked
package io.margay.server.directory;

import org.jspecify.annotations.NullMarked;
