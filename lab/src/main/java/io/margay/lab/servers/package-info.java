/// Servers as plug-ins: how each is configured, started and told apart.
@NullMarked
package io.margay.lab.servers;

import org.jspecify.annotations.NullMarked;
