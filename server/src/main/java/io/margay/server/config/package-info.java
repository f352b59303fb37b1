/// What a server is told, and what it counts.
@NullMarked
package io.margay.server.config;

import org.jspecify.annotations.NullMarked;
