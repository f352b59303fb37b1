/// Two byte queues in memory that behave like a connection, for tests.
@NullMarked
package io.margay.transport.memory;

import org.jspecify.annotations.NullMarked;
