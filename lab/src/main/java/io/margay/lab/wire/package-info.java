/// What the load generator sends and receives: sockets, TLS, answers and their content.
@NullMarked
package io.margay.lab.wire;

import org.jspecify.annotations.NullMarked;
