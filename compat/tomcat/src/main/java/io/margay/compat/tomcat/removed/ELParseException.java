package io.margay.compat.tomcat.removed;

import org.jspecify.annotations.Nullable;

/// `ELParseException` of JSP 2.0. Immutable.
public class ELParseException extends ELException {
    private static final long serialVersionUID = 1;

    public ELParseException() {}

    public ELParseException(@Nullable String message) {
        super(message);
    }
}
