/// A Spring Boot application, as small as one can be that uses what larger ones do.
@NullMarked
package io.margay.frameworks.boot;

import org.jspecify.annotations.NullMarked;
