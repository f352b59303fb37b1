/// The transport `native`: epoll of Linux through `java.lang.foreign`.
@NullMarked
package io.margay.transport.epoll;

import org.jspecify.annotations.NullMarked;
