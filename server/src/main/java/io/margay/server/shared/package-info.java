/// What several servers share through an engine: tables of entries, leases, counters.
@NullMarked
package io.margay.server.shared;

import org.jspecify.annotations.NullMarked;
