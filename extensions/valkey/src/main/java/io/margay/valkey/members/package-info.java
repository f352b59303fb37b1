/// Keeps in Valkey who has registered as a member of an upstream.
@NullMarked
package io.margay.valkey.members;

import org.jspecify.annotations.NullMarked;
