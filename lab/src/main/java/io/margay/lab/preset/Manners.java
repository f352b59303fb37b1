package io.margay.lab.preset;

import io.margay.lab.result.CellResult;
import io.margay.lab.result.Comparison;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;
import java.util.Optional;

/// What may have made mod_jk and mod_proxy_ajp differ where they were compared with opposite
/// outcome, each as a server to measure: whether connections to Tomcat are kept, whether a pattern
/// names the target, whether a connection has a process or a thread, whether there are fewer
/// connections than threads. Stateless.
final class Manners {
    static final String ID = "manners";

    private static final String JK_ONCE = "httpd:mod_jk-once/" + Servers.TOMCAT;
    private static final String AJP_ONCE = "httpd:proxy_ajp-once/" + Servers.TOMCAT;
    private static final String AJP_MATCH = "httpd:proxy_ajp-match/" + Servers.TOMCAT;
    private static final String JK_PREFORK = "httpd:mod_jk-prefork/" + Servers.TOMCAT;
    private static final String AJP_PREFORK = "httpd:proxy_ajp-prefork/" + Servers.TOMCAT;
    private static final String JK_NARROW = "httpd:mod_jk-narrow/" + Servers.TOMCAT;
    private static final String AJP_NARROW = "httpd:proxy_ajp-narrow/" + Servers.TOMCAT;

    /// A request opens a connection where this many do.
    private static final double OPENS = 0.5;

    /// A connection is kept where no more than this many requests open one.
    private static final double KEEPS = 0.05;

    private Manners() {}

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
        Optional<CellResult> once = findings.cell(ID, AJP_ONCE);
        if (kept.isPresent() && jk.isPresent() && once.isPresent()) {
            contradiction(findings, run, metric, jk.get(), kept.get(), once.get());
        }
        findings.cell(ID, AJP_MATCH).ifPresent(match -> match(findings, match));
    }

    private static void contradiction(
            Findings findings,
            RunResult run,
            Metric metric,
            CellResult jk,
            CellResult kept,
            CellResult once) {
        boolean apart = Findings.opened(kept) < KEEPS && Findings.opened(once) > OPENS;
        if (!apart) {
            findings.say(
                    "What the kept connections are worth cannot be said: the connections counted"
                            + " do not tell the two manners apart.");
            return;
        }
        Comparison price = Comparison.of(once, kept, metric, run.seed());
        Comparison modules = Comparison.of(kept, jk, metric, run.seed());
        double tomcat = Findings.backCost(once) / Math.max(1e-9, Findings.backCost(kept));
        findings.say(
                "Whether httpd keeps its connections to Tomcat decides more than which module it"
                        + " is: a connection per request costs mod_proxy_ajp this: "
                        + price.words()
                        + ", with Tomcat's own CPU per request at "
                        + Findings.digits(tomcat)
                        + " × (published for mod_proxy_ajp over mod_jk: 3.2 ×), while the two"
                        + " modules with kept connections compare thus: "
                        + modules.words()
                        + ".");
        if (price.differs()) {
            findings.say(
                    "So the two published comparisons need not contradict each other. The one in"
                            + " which mod_jk used half the CPU named its target by"
                            + " ProxyPassMatch with $1; httpd 2.2 gave such requests to a worker"
                            + " that keeps no connections, and its errors (failed connects, no"
                            + " buffer space) are those of a machine that runs out of ports. The"
                            + " one in which mod_proxy_ajp was ahead does not print its mapping;"
                            + " with one that keeps connections, this run's ratio of the modules"
                            + " is what is left.");
        }
    }

    private static void match(Findings findings, CellResult match) {
        double opened = Findings.opened(match);
        findings.say(
                opened > OPENS
                        ? "With ProxyPassMatch and $1 this httpd, too, opens a connection per"
                                + " request ("
                                + Findings.digits(opened)
                                + ")."
                        : opened < KEEPS
                                ? "With ProxyPassMatch and $1 this httpd keeps its connections ("
                                        + Findings.digits(opened)
                                        + " opened per request), so that today the mapping alone"
                                        + " no longer makes the difference."
                                : "With ProxyPassMatch and $1 this httpd opened "
                                        + Findings.digits(opened)
                                        + " connections per request.");
    }
}
