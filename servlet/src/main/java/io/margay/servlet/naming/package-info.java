/// The naming context of an application: what `java:comp/env` and its like lead to, and how data
/// sources and other resources are made (Servlet 6.1 §15.2, Jakarta Platform 11 §5).
@NullMarked
package io.margay.servlet.naming;

import org.jspecify.annotations.NullMarked;
