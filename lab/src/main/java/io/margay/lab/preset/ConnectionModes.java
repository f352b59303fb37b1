package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Comparison;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.RunResult;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What may have made mod_jk and mod_proxy_ajp differ where they were compared with opposite
/// outcome, each as a server to measure: whether connections to Tomcat are kept, whether a pattern
/// names the target, whether a connection has a process or a thread, whether there are fewer
/// connections than threads. Stateless.
final class ConnectionModes {
    static final String ID = "connection-modes";

    private static final String JK_ONCE = "httpd:mod_jk-once/" + Servers.TOMCAT;
    private static final String AJP_ONCE = "httpd:proxy_ajp-once/" + Servers.TOMCAT;
    private static final String AJP_MATCH = "httpd:proxy_ajp-match/" + Servers.TOMCAT;
    private static final String JK_PREFORK = "httpd:mod_jk-prefork/" + Servers.TOMCAT;
    private static final String AJP_PREFORK = "httpd:proxy_ajp-prefork/" + Servers.TOMCAT;
    private static final String JK_NARROW = "httpd:mod_jk-narrow/" + Servers.TOMCAT;
    private static final String AJP_NARROW = "httpd:proxy_ajp-narrow/" + Servers.TOMCAT;

    /// A request opens a connection where this many do.
    private static final double OPENS = 0.5;

    /// A connection is kept where no more than this many requests seem to open one; other work on
    /// the machine opens connections too.
    private static final double KEEPS = 0.2;

    private ConnectionModes() {}

    /// Those whose CPU is compared.
    static List<String> ofCpu() {
        return List.of(
                Servers.JK, Servers.AJP, AJP_MATCH, JK_ONCE, AJP_ONCE, JK_PREFORK, AJP_PREFORK);
    }

    /// Those whose limit is compared: there a pool that is too small shows.
    static List<String> ofLimit() {
        return List.of(
                Servers.JK, Servers.AJP, AJP_MATCH, JK_ONCE, AJP_ONCE, JK_NARROW, AJP_NARROW);
    }

    /// What the run says about them.
    static void why(Findings findings, RunResult run, Metric metric) {
        findings.connectionsBehind(ID)
                .verdict(
                        ID,
                        Servers.AJP,
                        Servers.JK,
                        metric,
                        "Both keep their connections, a thread per connection.")
                .verdict(ID, AJP_PREFORK, JK_PREFORK, metric, "Both, a process per connection.")
                .verdict(ID, AJP_ONCE, JK_ONCE, metric, "Both, a connection per request.")
                .verdict(
                        ID,
                        AJP_MATCH,
                        Servers.AJP,
                        metric,
                        "The mapping of the published comparison, by a pattern with $1.")
                .verdict(ID, JK_NARROW, Servers.JK, metric, "Fewer connections than threads.")
                .verdict(ID, AJP_NARROW, Servers.AJP, metric, "Fewer connections than threads.");
        Optional<CellResult> kept = findings.cell(ID, Servers.AJP);
        Optional<CellResult> jk = findings.cell(ID, Servers.JK);
        Optional<CellResult> match = findings.cell(ID, AJP_MATCH);
        Optional<CellResult> once = findings.cell(ID, AJP_ONCE);
        kept.ifPresent(it -> match.ifPresent(other -> mapping(findings, other, it)));
        // The published mapping itself where it opens connections; otherwise what it did then.
        Optional<CellResult> opening =
                match.filter(it -> Findings.opened(it) > OPENS)
                        .or(() -> once.filter(it -> Findings.opened(it) > OPENS));
        if (kept.isEmpty() || jk.isEmpty() || opening.isEmpty()) {
            return;
        }
        if (Findings.opened(kept.get()) > KEEPS) {
            findings.say(
                    "What kept connections are worth cannot be said: the connections counted do not"
                            + " tell the two apart.");
            return;
        }
        findings.because(ID, opening.get().server(), Servers.AJP);
        contradiction(findings, run, metric, jk.get(), kept.get(), opening.get());
        ports(findings, opening.get(), kept.get());
    }

    /// What the mapping of the published comparison does today.
    private static void mapping(Findings findings, CellResult match, CellResult kept) {
        double opened = Findings.opened(match);
        String counted =
                "With the published mapping (ProxyPassMatch and $1) mod_proxy_ajp opens "
                        + Findings.digits(opened)
                        + " connections per request to Tomcat, with ProxyPass "
                        + Findings.digits(Findings.opened(kept))
                        + ".";
        findings.say(
                opened > OPENS
                        ? counted
                                + " The address that the pattern makes is not the one under which"
                                + " httpd keeps connections, so that its default worker takes the"
                                + " request, which keeps none (httpd's bugs 43513 and 62167)."
                        : opened < KEEPS
                                ? counted
                                        + " So today the mapping alone no longer makes the"
                                        + " difference; in httpd 2.2 it did (its bug 43513)."
                                : counted);
    }

    private static void contradiction(
            Findings findings,
            RunResult run,
            Metric metric,
            CellResult jk,
            CellResult kept,
            CellResult opening) {
        Comparison price = Comparison.of(opening, kept, metric, run.seed());
        Comparison modules = Comparison.of(kept, jk, metric, run.seed());
        double tomcat = Findings.backCost(opening) / Math.max(1e-9, Findings.backCost(kept));
        findings.say(
                "The same module with and without kept connections: "
                        + price.words()
                        + "; Tomcat alone spends "
                        + Findings.digits(tomcat)
                        + " × (published for mod_proxy_ajp over mod_jk: 3.2 ×). The two modules,"
                        + " both with kept connections: "
                        + modules.words()
                        + ".");
        if (price.differs() && distance(price) > distance(modules)) {
            findings.say(
                    "So the two published comparisons need not contradict each other. The one of"
                            + " 2012, in which mod_jk used half the CPU, compared connections that"
                            + " are kept (mod_jk's pool) with a connection per request (its mapping"
                            + " of mod_proxy_ajp). The one of 2010, in which mod_proxy_ajp was"
                            + " ahead, does not print its mapping; with the usual ProxyPass both"
                            + " modules keep their connections, and what is left between them is"
                            + " the smaller of the two differences above.");
        }
    }

    /// How far a ratio is from 1, either way.
    private static double distance(Comparison comparison) {
        return Math.abs(Math.log(Math.max(1e-9, comparison.ratio().estimate())));
    }

    /// Why the published comparison met errors.
    private static void ports(Findings findings, CellResult opening, CellResult kept) {
        double perSecond =
                Findings.opened(opening) * opening.median(round -> round.load().perSecond());
        findings.say(
                String.format(
                        Locale.ROOT,
                        "Its errors follow from the same: httpd opened %.0f connections a second,"
                                + " and each closed one holds a port of its own for a while"
                                + " (TIME_WAIT; %.0f more held after a round, %.0f with kept"
                                + " connections). Windows XP and 2003 have 3976 ports for this and"
                                + " hold each for four minutes, which is enough for 17 connections"
                                + " a second; then connecting fails with error 10055, \"lacked"
                                + " sufficient buffer space\", the one that was published."
                                + " Windows 2008 R2 has 16 384 ports, and it was found to fail"
                                + " later.",
                        perSecond,
                        opening.median(RoundResult::timeWait),
                        kept.median(RoundResult::timeWait)));
    }
}
