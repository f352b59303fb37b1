/// The keys of `margay.yaml` for members that come and go, and what is made of them.
@NullMarked
package io.margay.app.config.members;

import org.jspecify.annotations.NullMarked;
