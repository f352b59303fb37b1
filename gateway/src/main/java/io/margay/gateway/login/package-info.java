/// Who a client is: names and passwords, the files that know them, and what is remembered of those
/// that were right.
@NullMarked
package io.margay.gateway.login;

import org.jspecify.annotations.NullMarked;
