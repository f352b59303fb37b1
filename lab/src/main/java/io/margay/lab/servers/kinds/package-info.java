/// The kinds of servers that the lab can run, each a class, and the list of them.
@NullMarked
package io.margay.lab.servers.kinds;

import org.jspecify.annotations.NullMarked;
