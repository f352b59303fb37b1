package io.margay.servlet.realm;

import io.margay.server.exchange.OutageLog;
import io.margay.servlet.security.RealmAwayException;

/// Tells the operator when a realm cannot be asked, and when it can again. Thread-safe.
final class RealmFailures {
    private static final System.Logger LOG = System.getLogger(RealmFailures.class.getName());

    private final String realm;
    private final OutageLog outage;

    /// @param realm its name for messages
    RealmFailures(String realm) {
        this.realm = realm;
        outage = new OutageLog(LOG, realm, System::nanoTime);
    }

    /// Tells it, and makes what those get who have asked.
    RealmAwayException away(Throwable e) {
        tell(e);
        return new RealmAwayException(realm + " cannot be asked: " + e, e);
    }

    void tell(Throwable e) {
        outage.failed(e);
    }

    /// It has answered, whatever the answer was.
    void answered() {
        outage.answered();
    }
}
