/// What Spring Boot's own tests need of the starter.
@NullMarked
package io.margay.spring.boot;

import org.jspecify.annotations.NullMarked;
