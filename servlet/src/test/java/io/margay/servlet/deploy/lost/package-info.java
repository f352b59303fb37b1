/// Tests of what is said of classes that Java has lost.
@NullMarked
package io.margay.servlet.deploy.lost;

import org.jspecify.annotations.NullMarked;
