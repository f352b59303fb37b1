package io.margay.compat.httpd.jk;

import io.margay.compat.account.Account;
import io.margay.compat.httpd.syntax.Spelling;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Puts mod_jk's mount rules in the order in which mod_jk asks them: most slashes first, then the
/// longest, then by source. Stateless.
public final class MountTable {
    private static final Comparator<MountRule> ORDER =
            Comparator.comparingLong((MountRule rule) -> -slashes(rule.pattern()))
                    .thenComparingInt(rule -> -rule.pattern().length())
                    .thenComparing(MountRule::source);

    private MountTable() {}

    private static long slashes(String pattern) {
        return pattern.chars().filter(c -> c == '/').count();
    }

    /// The rules of a host. An exclusion counts for the rules that lead to its own worker, and for
    /// all when it names `*`; what is excluded goes to no other worker.
    ///
    /// @param raw whether the target is sent as the client spelt it (`ForwardURICompatUnparsed`)
    public static List<GatewayRule> rules(
            List<MountRule> mounts,
            Workers workers,
            ProxyRules base,
            boolean raw,
            Account account) {
        List<GatewayRule> rules = new ArrayList<>();
        for (MountRule mount : mounts.stream().sorted(ORDER).toList()) {
            String worker = mount.worker();
            if (mount.exclusion()) {
                account.honoured(mount.place(), mount.directive());
                continue;
            }
            if (!workers.has(worker)) {
                unknown(mount, workers, account);
                rules.add(
                        GatewayRule.of(
                                new PathMatch.Glob(mount.pattern()), new RuleAction.Refuse(500)));
                continue;
            }
            account.honoured(mount.place(), mount.directive());
            List<String> except =
                    mounts.stream()
                            .filter(MountRule::exclusion)
                            .filter(one -> one.worker().equals("*") || one.worker().equals(worker))
                            .map(MountRule::pattern)
                            .distinct()
                            .toList();
            rules.add(
                    new GatewayRule(
                            new PathMatch.Glob(mount.pattern()),
                            except,
                            List.of(),
                            action(mount, workers, base, raw, account)));
        }
        return rules;
    }

    /// mod_jk starts, and answers 500.
    private static void unknown(MountRule mount, Workers workers, Account account) {
        List<String> names = new ArrayList<>(workers.upstreams().keySet());
        names.addAll(workers.status().keySet());
        String text = "worker.list has no worker \"" + mount.worker() + "\"";
        if (names.isEmpty()) {
            account.wrong(
                    mount.place(),
                    mount.directive(),
                    text + "; name workers.properties on the command line too");
        } else {
            account.changed(
                    mount.place(),
                    mount.directive(),
                    text + ": requests get 500" + Spelling.hint(mount.worker(), names));
        }
    }

    private static RuleAction action(
            MountRule mount, Workers workers, ProxyRules base, boolean raw, Account account) {
        if (workers.status().containsKey(mount.worker())) {
            Map<String, String> page = workers.status().getOrDefault(mount.worker(), Map.of());
            return page.getOrDefault("user", "").isBlank()
                    ? new RuleAction.Page(
                            RuleAction.Page.Kind.JK_STATUS,
                            mount.worker(),
                            !page.getOrDefault("read_only", "").matches("(?i)on|[ty1-9].*"))
                    : new RuleAction.Refuse(403); // Nobody has a name here.
        }
        return new RuleAction.Forward(
                mount.worker(),
                null,
                raw,
                RuleAction.Query.KEEP,
                MountExtensions.apply(mount, base, workers.cookie(mount.worker()), account));
    }
}
