/// What sections and requirements are about: parts of a request that a text, a pattern, a network
/// or a list of methods is compared with.
@NullMarked
package io.margay.gateway.access.match;

import org.jspecify.annotations.NullMarked;
