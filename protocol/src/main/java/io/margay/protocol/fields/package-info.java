/// What the header compressions of HTTP/2 and HTTP/3 share.
@NullMarked
package io.margay.protocol.fields;

import org.jspecify.annotations.NullMarked;
