/// `margay shadow`: live traffic to an old and a new server, compared.
@NullMarked
package io.margay.app.shadow;

import org.jspecify.annotations.NullMarked;
