/// What connections share, whatever protocol they speak: exchanges with their tasks, input, time.
@NullMarked
package io.margay.server.connection;

import org.jspecify.annotations.NullMarked;
