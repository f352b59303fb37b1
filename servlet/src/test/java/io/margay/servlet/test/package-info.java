/// What the container's tests share: an exchange without a server, and small applications.
@NullMarked
package io.margay.servlet.test;

import org.jspecify.annotations.NullMarked;
