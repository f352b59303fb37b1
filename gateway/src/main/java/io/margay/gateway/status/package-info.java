/// Pages that show upstreams and change them, with the names, parameters and formats of mod_jk's
/// status worker, mod_status and balancer-manager.
@NullMarked
package io.margay.gateway.status;

import org.jspecify.annotations.NullMarked;
