/// What a configuration serves: hosts, routes, rules, upstreams, logs.
@NullMarked
package io.margay.app.site;

import org.jspecify.annotations.NullMarked;
