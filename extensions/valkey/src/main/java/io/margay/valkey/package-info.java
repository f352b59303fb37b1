/// The client of Valkey and Redis that engines share.
@NullMarked
package io.margay.valkey;

import org.jspecify.annotations.NullMarked;
