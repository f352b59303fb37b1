/// Clients that a server would rather not have: slow ones, storms of connections, bad requests.
@NullMarked
package io.margay.lab.hostile;

import org.jspecify.annotations.NullMarked;
