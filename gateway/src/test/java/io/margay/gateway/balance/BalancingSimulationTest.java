package io.margay.gateway.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.BalancingSimulation.Advice;
import io.margay.gateway.balance.BalancingSimulation.Scenario;
import io.margay.gateway.balance.BalancingSimulation.Seen;
import io.margay.gateway.balance.BalancingSimulation.Size;
import io.margay.gateway.config.BalanceMethod;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What `docs/measurements/fronts.md` says of `least-time`, with fewer members.
final class BalancingSimulationTest {
    private static final Size SMALL = new Size(40, 2, 9);

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OVERLOAD")
    void leastTime_isNearTheIdeal(Scenario scenario) {
        Seen ideal = BalancingSimulation.run(scenario, Advice.IDEAL, SMALL, 1);
        Seen seen = BalancingSimulation.run(scenario, BalanceMethod.LEAST_TIME, SMALL, 1);
        assertTrue(seen.goodput() >= 0.95, () -> scenario + ": " + seen);
        assertTrue(seen.p99() <= 1.5 * ideal.p99(), () -> scenario + ": " + seen + " " + ideal);
    }

    /// Each gateway would ask each member once in two seconds, and so uses a part of them.
    @ParameterizedTest
    @EnumSource(names = {"BROWN_OUTS", "UNEVEN"})
    @Tag("slow")
    void leastTime_withManyGateways_isNearTheIdeal(Scenario scenario) {
        Size many = new Size(200, 100, 15);
        Seen ideal = BalancingSimulation.run(scenario, Advice.IDEAL, many, 1);
        Seen seen = BalancingSimulation.run(scenario, BalanceMethod.LEAST_TIME, many, 1);
        assertTrue(seen.goodput() >= 0.99, () -> scenario + ": " + seen);
        assertTrue(seen.p99() <= 1.5 * ideal.p99(), () -> scenario + ": " + seen + " " + ideal);
    }

    @Test
    void membersInTurn_areFarFromIt_whereSomeAreSlow() {
        Seen ideal = BalancingSimulation.run(Scenario.UNEVEN, Advice.IDEAL, SMALL, 1);
        Seen seen = BalancingSimulation.run(Scenario.UNEVEN, BalanceMethod.REQUESTS, SMALL, 1);
        assertTrue(seen.p99() > 2 * ideal.p99(), () -> seen + " " + ideal);
    }

    /// The least busy member is the one that fails at once.
    @Test
    void membersThatFail_getLessByTime_thanByBusyness() {
        Seen busy = BalancingSimulation.run(Scenario.FAILING, BalanceMethod.BUSYNESS, SMALL, 1);
        Seen time = BalancingSimulation.run(Scenario.FAILING, BalanceMethod.LEAST_TIME, SMALL, 1);
        assertTrue(1 - time.goodput() < (1 - busy.goodput()) / 4, () -> time + " " + busy);
    }

    /// What the members can do is all that anybody gets.
    @Test
    void overload_leavesWhatMembersCanDo_withAdaptiveLimits() {
        Advice limited = new Advice(BalanceMethod.LEAST_TIME, true, false, 0);
        Seen with = BalancingSimulation.run(Scenario.OVERLOAD, limited, SMALL, 1);
        Seen without =
                BalancingSimulation.run(Scenario.OVERLOAD, BalanceMethod.LEAST_TIME, SMALL, 1);
        double most = (0.6 + 1 + 0.6) / (0.6 + 1.5 + 0.6);
        assertTrue(with.goodput() > 0.93 * most, () -> with + " of " + most);
        assertTrue(with.p99() < 1_000, with::toString);
        assertTrue(with.goodput() > without.goodput() + 0.05, () -> with + " " + without);
    }

    @ParameterizedTest
    @EnumSource(names = {"EVEN", "BROWN_OUTS", "PAUSES", "COLD"})
    void hedging_harmsNothing_whereMembersAreNotFull(Scenario scenario) {
        Advice hedged = new Advice(BalanceMethod.REQUESTS, false, true, 0);
        Seen with = BalancingSimulation.run(scenario, hedged, SMALL, 1);
        Seen without = BalancingSimulation.run(scenario, BalanceMethod.REQUESTS, SMALL, 1);
        assertTrue(with.goodput() >= without.goodput() - 0.001, () -> with + " " + without);
        assertTrue(with.p99() <= 1.02 * without.p99(), () -> with + " " + without);
    }

    @Test
    void sameSeed_givesTheSame() {
        Seen one = BalancingSimulation.run(Scenario.COLD, BalanceMethod.TWO_CHOICES, SMALL, 7);
        assertEquals(
                one, BalancingSimulation.run(Scenario.COLD, BalanceMethod.TWO_CHOICES, SMALL, 7));
    }
}
