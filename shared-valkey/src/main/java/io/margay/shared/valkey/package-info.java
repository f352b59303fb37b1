/// Keeps in Valkey what a group of servers shares.
@NullMarked
package io.margay.shared.valkey;

import org.jspecify.annotations.NullMarked;
