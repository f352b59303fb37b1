/// A server of known cost, for tests of the lab itself.
@NullMarked
package io.margay.lab.servers.known;

import org.jspecify.annotations.NullMarked;
