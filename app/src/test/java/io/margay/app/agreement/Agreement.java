package io.margay.app.agreement;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/// How two answers to one probe compare, and the reasons for which Margay may be the stricter.
/// Stateless.
public final class Agreement {
    /// What comes of a comparison.
    public enum Verdict {
        /// The same status, and the same content.
        EQUAL,

        /// Refused by both, with another status.
        REFUSED_OTHERWISE,

        /// Refused by Margay alone, for a reason that is listed.
        STRICTER,

        /// Refused by Margay alone, for no reason that is listed.
        UNEXPLAINED,

        /// Served by Margay alone, or something else than httpd serves.
        LAXER
    }

    /// Why Margay refuses what httpd serves.
    ///
    /// @param status Margay's
    private record Reason(String text, int status, BiPredicate<AccessProbe, ProbeAnswer> holds) {}

    private static final List<Reason> REASONS =
            List.of(
                    new Reason(
                            "a path that can be read in two ways is refused",
                            400,
                            (probe, _) -> probe.target().matches("(?i).*(%2f|%5c|%00|;|%2e).*")),
                    new Reason(
                            "TRACE is passed on, and never answered here",
                            403,
                            (probe, _) -> probe.method().equals("TRACE")),
                    new Reason(
                            "TRACE is passed on, and never answered here",
                            404,
                            (probe, _) -> probe.method().equals("TRACE")),
                    new Reason(
                            "what a path is rewritten to is no file",
                            404,
                            (probe, _) -> probe.target().matches("/(portal|go)/.*")),
                    new Reason(
                            "a file has no paths below it",
                            404,
                            (probe, _) -> probe.target().endsWith("/extra")),
                    new Reason(
                            "files are read, and not posted to",
                            405,
                            (probe, httpd) ->
                                    !probe.method().equals("GET")
                                            && !httpd.content().equals("peer")));

    private Agreement() {}

    /// Compares.
    public static Verdict of(AccessProbe probe, ProbeAnswer httpd, ProbeAnswer margay) {
        if (httpd.isRefused() && margay.isRefused()) {
            return httpd.status() == margay.status() ? Verdict.EQUAL : Verdict.REFUSED_OTHERWISE;
        }
        if (httpd.isRefused()) {
            return Verdict.LAXER;
        }
        if (margay.isRefused()) {
            return reason(probe, httpd, margay).isPresent()
                    ? Verdict.STRICTER
                    : Verdict.UNEXPLAINED;
        }
        if (httpd.isRedirected() != margay.isRedirected()) {
            return margay.isRedirected() ? Verdict.UNEXPLAINED : Verdict.LAXER;
        }
        boolean same = httpd.content().equals(margay.content());
        return same || httpd.isRedirected() ? Verdict.EQUAL : Verdict.LAXER;
    }

    /// The reason that is listed for what Margay refuses.
    public static Optional<String> reason(
            AccessProbe probe, ProbeAnswer httpd, ProbeAnswer margay) {
        return REASONS.stream()
                .filter(reason -> reason.status == margay.status())
                .filter(reason -> reason.holds.test(probe, httpd))
                .map(Reason::text)
                .findFirst();
    }
}
