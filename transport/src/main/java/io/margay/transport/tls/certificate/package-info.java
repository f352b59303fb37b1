/// Keys, certificates and authorities: read from files, and what a client's chain is held to.
@NullMarked
package io.margay.transport.tls.certificate;

import org.jspecify.annotations.NullMarked;
