/// Margay as the embedded server of Spring Boot 4.
@NullMarked
package io.margay.spring.boot;

import org.jspecify.annotations.NullMarked;
