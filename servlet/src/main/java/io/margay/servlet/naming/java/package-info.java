/// Where JNDI looks for the meaning of `java:` names.
@NullMarked
package io.margay.servlet.naming.java;

import org.jspecify.annotations.NullMarked;
