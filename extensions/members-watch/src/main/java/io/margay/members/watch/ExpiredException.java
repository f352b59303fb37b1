package io.margay.members.watch;

import java.io.IOException;

/// What was read is too old to be followed from there: all is to be read again.
final class ExpiredException extends IOException {
    private static final long serialVersionUID = 1;

    ExpiredException(String why) {
        super(why);
    }
}
