/// The engine of the container: starts and stops an application, and takes each of its requests
/// from the first call to the end of the response (Servlet 6.1). The packages below it know each
/// other in one direction: registration, application, request, response, dispatch, async.
@NullMarked
package io.margay.servlet.engine;

import org.jspecify.annotations.NullMarked;
