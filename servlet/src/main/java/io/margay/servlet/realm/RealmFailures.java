package io.margay.servlet.realm;

import io.margay.server.exchange.LogRate;
import io.margay.servlet.security.RealmAwayException;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// Tells the operator that a realm cannot be asked, but not with every login. Thread-safe.
final class RealmFailures {
    private static final System.Logger LOG = System.getLogger(RealmFailures.class.getName());

    private final String realm;
    private final LogRate rate = new LogRate(Duration.ofSeconds(10), System::nanoTime);

    /// @param realm its name for messages
    RealmFailures(String realm) {
        this.realm = realm;
    }

    /// Tells it, and makes what those get who have asked.
    RealmAwayException away(Throwable e) {
        tell(e);
        return new RealmAwayException(realm + " cannot be asked: " + e, e);
    }

    void tell(Throwable e) {
        LOG.log(
                rate.isDue() ? Level.WARNING : Level.DEBUG,
                "{0} cannot be asked, so that nobody can log in: {1}",
                realm,
                e.toString());
    }
}
