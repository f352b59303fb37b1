package io.margay.app.upgrade;

import io.margay.app.deploy.RunningApp;
import io.margay.servlet.session.SessionTotals;
import java.util.List;

/// What becomes of the sessions of a process that ends, as lines for those who have ended it.
/// Stateless.
public final class KeptSessions {
    private KeptSessions() {}

    /// Of one that has stopped; none where there was none.
    public static List<String> of(List<RunningApp> apps) {
        long kept = 0;
        long lost = 0;
        for (RunningApp app : apps) {
            SessionTotals totals = app.deployment().webApp().sessionTotals();
            kept += totals.kept();
            lost += totals.lost();
        }
        return kept + lost == 0 ? List.of() : List.of("sessions kept: " + kept + ", lost: " + lost);
    }

    /// Of one whose successor serves.
    public static List<String> leaving(List<RunningApp> apps) {
        int all = apps.stream().mapToInt(app -> app.deployment().webApp().sessions()).sum();
        return all == 0
                ? List.of()
                : List.of(
                        "sessions: "
                                + all
                                + "; \"margay status\" says how many were restored and lost, once"
                                + " the previous process has ended");
    }
}
