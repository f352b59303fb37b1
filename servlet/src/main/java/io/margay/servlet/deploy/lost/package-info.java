/// What an application refers to and Java no longer has: named by a check, before it is missed.
@NullMarked
package io.margay.servlet.deploy.lost;

import org.jspecify.annotations.NullMarked;
