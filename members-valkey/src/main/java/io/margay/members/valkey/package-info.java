/// Keeps in Valkey who has registered as a member of an upstream.
@NullMarked
package io.margay.members.valkey;

import org.jspecify.annotations.NullMarked;
