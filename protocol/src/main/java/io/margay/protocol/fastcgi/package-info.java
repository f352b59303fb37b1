/// FastCGI 1.0, the protocol between web servers and application processes such as php-fpm, in both
/// directions, and the CGI parameters that it carries (RFC 3875). Pure: no sockets, threads, clocks
/// or logging.
@NullMarked
package io.margay.protocol.fastcgi;

import org.jspecify.annotations.NullMarked;
