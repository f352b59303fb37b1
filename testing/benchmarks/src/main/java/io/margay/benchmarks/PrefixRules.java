package io.margay.benchmarks;

import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.CanonicalPath;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What a request costs that is put through the rules of a host: many that forward by the beginning
/// of the path, of which one takes it ([#lastRule]), none does ([#noRule]), or each of eight that
/// begin with one another is asked and refuses by a condition ([#nestedRules]). The requests
/// change, so that no branch is learnt.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PrefixRules {
    private static final int REQUESTS = 1024; // a power of two
    private static final int NESTED = 8;

    @Param({"8", "100", "5000"})
    private int count;

    private RuleSet rules = RuleSet.of(List.of(), RuleLimits.defaults());
    private final List<RuleRequest> taken = new ArrayList<>();
    private final List<RuleRequest> left = new ArrayList<>();
    private final List<RuleRequest> nested = new ArrayList<>();
    private int at;

    @Setup
    public void compile() {
        List<GatewayRule> all = new ArrayList<>();
        for (int i = 0; i < count - NESTED; i++) {
            all.add(rule("/team" + i % 70 + "/service" + i, List.of()));
        }
        StringBuilder path = new StringBuilder("/nested");
        for (int i = 0; i < NESTED; i++) {
            path.append("/x");
            all.add(
                    rule(
                            path.toString(),
                            List.of(GatewayRule.Condition.of("%{REQUEST_METHOD}", "^PURGE$"))));
        }
        rules = RuleSet.of(all, RuleLimits.defaults());
        for (int i = 0; i < REQUESTS; i++) {
            int service = (int) (i * 2_654_435_761L % Math.max(1, count - NESTED));
            taken.add(get("/team" + service % 70 + "/service" + service + "/item/" + i));
            left.add(get("/team" + service % 70 + "/other" + i));
            nested.add(get(path + "/item/" + i));
        }
    }

    private static GatewayRule rule(String path, List<GatewayRule.Condition> when) {
        return new GatewayRule(
                new PathMatch.Prefix(path),
                List.of(),
                when,
                RuleAction.Forward.to("one", ProxyRules.defaults()));
    }

    private static RuleRequest get(String path) {
        return RuleRequest.get(CanonicalPath.of(path).path(), path);
    }

    private RuleDecision decide(List<RuleRequest> requests) {
        return rules.decide(requests.get(at++ & (REQUESTS - 1)));
    }

    @Benchmark
    public RuleDecision lastRule() {
        return decide(taken);
    }

    @Benchmark
    public RuleDecision noRule() {
        return decide(left);
    }

    @Benchmark
    public RuleDecision nestedRules() {
        return decide(nested);
    }
}
