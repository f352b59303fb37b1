/// The keys of rules, and of what a host changes in requests and responses.
@NullMarked
package io.margay.app.config.rules;

import org.jspecify.annotations.NullMarked;
