/// The product as it is delivered: `./margay` as a process, in the checkout and unpacked from the
/// distribution, and beside Tomcat.
@NullMarked
package io.margay.app.it;

import org.jspecify.annotations.NullMarked;
