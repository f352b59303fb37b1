/// Exchanges on connections that carry many at a time, whatever protocol puts them into frames.
@NullMarked
package io.margay.server.multiplex;

import org.jspecify.annotations.NullMarked;
