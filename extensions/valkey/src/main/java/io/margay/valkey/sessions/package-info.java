/// Keeps sessions in Valkey or Redis: one server, a primary that sentinels know, or a cluster.
@NullMarked
package io.margay.valkey.sessions;

import org.jspecify.annotations.NullMarked;
