/// OCSP responses for certificates, fetched and kept to be stapled.
@NullMarked
package io.margay.acme.staple;

import org.jspecify.annotations.NullMarked;
