/// Who may do what (Servlet 6.1 §13): constraints, ways to log in, and where users are kept.
@NullMarked
package io.margay.servlet.security;

import org.jspecify.annotations.NullMarked;
