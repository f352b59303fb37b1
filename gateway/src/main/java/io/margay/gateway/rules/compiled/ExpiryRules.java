package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleOrder;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.HttpDate;
import io.margay.protocol.http.MediaTypes;
import io.margay.server.exchange.UndecidedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of a host that say how long clients may keep responses. Immutable.
final class ExpiryRules {
    private static final int ERRORS = 400;
    private static final long MICROS = 1_000_000;

    private final List<Compiled> rules;

    private record Compiled(ExpiryRule rule, RuleMatch match) {}

    private ExpiryRules(List<Compiled> rules) {
        this.rules = List.copyOf(rules);
    }

    static ExpiryRules of(List<ExpiryRule> rules, RuleScope scope) {
        List<Compiled> compiled = new ArrayList<>();
        for (ExpiryRule rule : rules) {
            compiled.add(new Compiled(rule, RuleMatch.of(rule.match(), rule.when(), scope)));
        }
        return new ExpiryRules(compiled);
    }

    /// These with those of a folder; they hold where one says that they do.
    ExpiryRules with(ExpiryRules inner) {
        if (inner.isEmpty()) {
            return this;
        }
        List<Compiled> all = new ArrayList<>(rules);
        if (all.isEmpty()) {
            ExpiryRule off = ExpiryRule.of(PathMatch.ANY, List.of(), false);
            all.add(new Compiled(off, RuleMatch.ANY));
        }
        return new ExpiryRules(RuleOrder.merged(all, inner.rules, one -> one.rule.order()));
    }

    boolean isEmpty() {
        return rules.isEmpty();
    }

    /// Adds the fields to a response that has no `Expires` and is no error.
    ///
    /// @param isFile whether its `Last-Modified` is that of a file of this server
    /// @throws UndecidedException as an expression may
    void apply(FieldList fields, int status, RuleRequest request, boolean isFile) {
        if (status >= ERRORS || fields.contains("Expires")) {
            return;
        }
        ExpiryRule rule = find(request, type(fields, request.path()));
        if (rule == null) {
            return;
        }
        long now = request.arrival().receivedMicros() / MICROS;
        long expires = now + rule.seconds();
        if (rule.base() == ExpiryRule.Base.MODIFIED) {
            String modified = fields.get("Last-Modified");
            long since = modified == null ? HttpDate.INVALID : HttpDate.parse(modified, now);
            if (!isFile || since == HttpDate.INVALID) {
                return;
            }
            expires = since + rule.seconds();
        }
        String age = "max-age=" + (expires - now);
        String told = fields.get("Cache-Control");
        fields.set("Cache-Control", told == null ? age : told + ", " + age);
        fields.add("Expires", HttpDate.format(expires));
    }

    /// A 304 does not say its type.
    private static String type(FieldList fields, String path) {
        String told = fields.get("Content-Type");
        String type =
                told == null
                        ? MediaTypes.ofFileName(path.substring(path.lastIndexOf('/') + 1))
                        : told;
        int semicolon = type == null ? -1 : type.indexOf(';');
        return type == null ? "" : (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
    }

    private @Nullable ExpiryRule find(RuleRequest request, String type) {
        RulePath path = RulePath.of(request.path(), request.rawPath());
        ExpiryRule found = null;
        int kind = 0;
        boolean active = true;
        for (Compiled one : rules) {
            ExpiryRule.Base base = one.rule.base();
            if (base == ExpiryRule.Base.ACTIVE || base == ExpiryRule.Base.INACTIVE) {
                boolean on = base == ExpiryRule.Base.ACTIVE;
                active = one.match.take(request, path) == null ? active : on;
                continue;
            }
            boolean never = one.rule.base() == ExpiryRule.Base.NEVER;
            int of = kind(one.rule.type(), type);
            if (of > 0 && (never || of >= kind) && one.match.take(request, path) != null) {
                found = never ? null : one.rule;
                kind = never ? 0 : of;
            }
        }
        return active ? found : null;
    }

    /// 0 = not this type, 1 = any, 2 = one like it, 3 = the type itself.
    private static int kind(String wanted, String type) {
        if (wanted.isEmpty()) {
            return 1;
        }
        if (wanted.equalsIgnoreCase(type)) {
            return 3;
        }
        int slash = wanted.length() - 1;
        return wanted.endsWith("/*") && type.regionMatches(true, 0, wanted, 0, slash) ? 2 : 0;
    }
}
