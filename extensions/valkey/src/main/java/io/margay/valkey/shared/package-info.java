/// Keeps in Valkey what a group of servers shares.
@NullMarked
package io.margay.valkey.shared;

import org.jspecify.annotations.NullMarked;
