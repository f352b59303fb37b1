/// Components of a web application that ask for beans, the same for each CDI container.
@NullMarked
package io.margay.frameworks.cdi;

import org.jspecify.annotations.NullMarked;
