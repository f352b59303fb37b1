@NullMarked
package io.margay.gateway.balance;

import org.jspecify.annotations.NullMarked;
