/// Rules and changes of hosts, compiled: ready to be asked about requests and applied to exchanges.
@NullMarked
package io.margay.gateway.rules.compiled;

import org.jspecify.annotations.NullMarked;
