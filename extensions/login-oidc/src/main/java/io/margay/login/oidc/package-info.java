/// Logs users in at OpenID providers: the way to the provider and back, and the cookies by which
/// they stay logged in.
@NullMarked
package io.margay.login.oidc;

import org.jspecify.annotations.NullMarked;
