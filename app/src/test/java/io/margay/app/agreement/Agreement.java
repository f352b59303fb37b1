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

        /// Refused by both, with another status, or without the page that httpd shows.
        REFUSED_OTHERWISE,

        /// Refused by Margay alone, for a reason that is listed.
        STRICTER,

        /// Refused by Margay alone, for no reason that is listed.
        UNEXPLAINED,

        /// Passed on by Margay alone after a rewrite: docs/reference/gateway-compat.md says what
        /// becomes of a `ProxyPass` in a `Location`. Or a file that is served without regard to a
        /// path parameter, where httpd serves the page for what is not there: that, too, is said in
        /// that document.
        ANNOUNCED,

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
                            401,
                            (probe, _) -> probe.method().equals("TRACE")),
                    new Reason(
                            "TRACE is passed on, and never answered here",
                            404,
                            (probe, _) -> probe.method().equals("TRACE")),
                    new Reason(
                            "TRACE is passed on, and never answered here",
                            410,
                            (probe, _) -> probe.method().equals("TRACE")),
                    new Reason(
                            "what a path is rewritten to is not a file",
                            404,
                            (probe, _) -> probe.mayBeRewritten()),
                    new Reason(
                            "a path that is rewritten to a file must be open as it came, too",
                            403,
                            (probe, httpd) ->
                                    probe.mayBeRewritten() && !httpd.content().equals("peer")),
                    new Reason(
                            "conditions see a path decoded and without dot segments",
                            403,
                            (probe, _) -> probe.target().matches(".*(//|/\\.{1,2}/|%).*")),
                    new Reason(
                            "a folder of programs is not known to be one",
                            404,
                            (_, httpd) -> httpd.isRedirected()),
                    new Reason(
                            "a folder's page is asked for as a file, too",
                            403,
                            (probe, httpd) -> isPage(probe, httpd)),
                    new Reason(
                            "a folder's page is asked for as a file, too",
                            404,
                            (probe, httpd) -> isPage(probe, httpd)),
                    new Reason(
                            "what is not there is not there, whatever is asked of it",
                            404,
                            (probe, _) -> probe.method().equals("OPTIONS")),
                    new Reason(
                            "TRACE is passed on, and never answered here",
                            500,
                            (probe, _) -> probe.method().equals("TRACE")),
                    new Reason(
                            "links are refused wherever a section takes FollowSymLinks away",
                            403,
                            (probe, _) -> probe.target().startsWith("/link")),
                    new Reason(
                            "a URL whose host is not the one of Host is refused",
                            400,
                            (probe, _) -> probe.target().startsWith("http://")),
                    new Reason(
                            "a file has no paths below it",
                            404,
                            (probe, _) -> probe.target().endsWith("/extra")),
                    new Reason(
                            "LimitRequestBody of a section holds for peers behind rewrites, too",
                            413,
                            (probe, httpd) ->
                                    probe.content() > 10 && httpd.content().equals("peer")),
                    new Reason(
                            "files are read, and not posted to",
                            405,
                            (probe, httpd) ->
                                    !probe.method().equals("GET")
                                            && !httpd.content().equals("peer")));

    private final AccessCase made;

    public Agreement(AccessCase made) {
        this.made = made;
    }

    private static boolean isPage(AccessProbe probe, ProbeAnswer httpd) {
        boolean page =
                httpd.content().startsWith("www/")
                        || httpd.content().startsWith("other/")
                        || probe.method().equals("OPTIONS");
        return probe.target().equals("/") && page;
    }

    /// Whether httpd refuses a page in the place of another, of which it forgets the challenge,
    /// which a 401 has to have (RFC 9110 §11.6.1).
    private boolean isChallengeLost(ProbeAnswer httpd) {
        return httpd.challenge().isEmpty() && made.all().contains("FallbackResource /");
    }

    /// Compares.
    public Verdict of(AccessProbe probe, ProbeAnswer httpd, ProbeAnswer margay) {
        if (httpd.isRefused() && margay.isRefused()) {
            if (httpd.status() != margay.status()) {
                return Verdict.REFUSED_OTHERWISE;
            }
            if (httpd.status() == 401 && !httpd.challenge().equals(margay.challenge())) {
                return isChallengeLost(httpd) ? Verdict.REFUSED_OTHERWISE : Verdict.UNEXPLAINED;
            }
            if (httpd.content().equals(margay.content())) {
                return Verdict.EQUAL;
            }
            return margay.content().isEmpty() ? Verdict.REFUSED_OTHERWISE : Verdict.LAXER;
        }
        boolean rewritten = probe.mayBeRewritten();
        if (httpd.isRefused()) {
            boolean none = List.of(404, 405, 501).contains(httpd.status());
            boolean section = made.text().contains("<Location /app>\n    ProxyPass");
            return section && rewritten && none ? Verdict.ANNOUNCED : Verdict.LAXER;
        }
        if (margay.isRefused()) {
            return reason(probe, httpd, margay).isPresent()
                    ? Verdict.STRICTER
                    : Verdict.UNEXPLAINED;
        }
        if (probe.method().equals("OPTIONS")) {
            return Verdict.EQUAL;
        }
        if (httpd.isRedirected() != margay.isRedirected()) {
            return margay.isRedirected() ? Verdict.UNEXPLAINED : Verdict.LAXER;
        }
        boolean same = httpd.content().equals(margay.content());
        if (!same && probe.target().contains(";") && made.all().contains("FallbackResource")) {
            return Verdict.ANNOUNCED;
        }
        return same || httpd.isRedirected() ? Verdict.EQUAL : Verdict.LAXER;
    }

    /// The reason that is listed for what Margay refuses.
    public Optional<String> reason(AccessProbe probe, ProbeAnswer httpd, ProbeAnswer margay) {
        return REASONS.stream()
                .filter(reason -> reason.status == margay.status())
                .filter(reason -> reason.holds.test(probe, httpd))
                .map(Reason::text)
                .findFirst()
                .or(() -> reasonOfCase(probe, httpd, margay));
    }

    /// Whether a rule of this configuration leads what is below a folder elsewhere.
    private boolean isLed(AccessProbe probe, String name) {
        return probe.mayBeBelow(name) && made.text().contains("RewriteRule ^/" + name + "/");
    }

    /// What only some configurations are a reason for.
    private Optional<String> reasonOfCase(
            AccessProbe probe, ProbeAnswer httpd, ProbeAnswer margay) {
        boolean ofFile = !httpd.content().equals("peer");
        if (margay.status() == 401 && ofFile && (isLed(probe, "portal") || isLed(probe, "go"))) {
            return Optional.of(
                    "users are asked who they are for a path as it came, and for the file that a"
                            + " rule leads to");
        }
        boolean closes =
                made.files().values().stream()
                        .anyMatch(file -> file.contains("env") || file.contains("%{ENV"));
        if (closes) {
            return Optional.of("a .htaccess file that asks for variables closes its folder");
        }
        boolean ofPage = made.all().contains("FallbackResource /");
        if (margay.status() == 404 && ofPage && made.all().contains("[R=404]")) {
            return Optional.of("a rule with R refuses a page in the place of another, too");
        }
        boolean programs = made.text().contains("AddHandler cgi-script .cgi");
        if (margay.status() == 404 && programs && probe.target().contains(".cgi")) {
            return Optional.of("the name of a program of one section is one for all");
        }
        if (margay.status() == 500 && made.files().values().toString().contains("FOO")) {
            return Optional.of("a .htaccess file that limits a method of no standard closes it");
        }
        return Optional.empty();
    }
}
