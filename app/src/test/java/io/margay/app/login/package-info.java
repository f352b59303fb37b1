/// Users who log in at a host.
@NullMarked
package io.margay.app.login;

import org.jspecify.annotations.NullMarked;
