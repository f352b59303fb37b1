/// What logins of hosts and of applications have in common: nonces of DIGEST, and hashes by which a
/// password that was right is known again.
@NullMarked
package io.margay.server.users;

import org.jspecify.annotations.NullMarked;
