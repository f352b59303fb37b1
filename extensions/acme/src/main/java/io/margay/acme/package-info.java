/// Orders certificates from authorities and renews them.
@NullMarked
package io.margay.acme;

import org.jspecify.annotations.NullMarked;
