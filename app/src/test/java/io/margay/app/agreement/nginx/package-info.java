/// Configurations of nginx made by chance, in nginx and in Margay, in front of one member.
@NullMarked
package io.margay.app.agreement.nginx;

import org.jspecify.annotations.NullMarked;
