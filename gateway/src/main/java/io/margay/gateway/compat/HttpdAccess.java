package io.margay.gateway.compat;

import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Who may see what a section is about: `Require`, and `Order`, `Allow`, `Deny` of httpd 2.2.
/// Confined to one reading.
final class HttpdAccess {
    final HttpdSection section;
    private final Account account;
    private final List<String> addresses = new ArrayList<>();
    private boolean granted;
    private boolean denied;
    private boolean denyFirst = true;

    HttpdAccess(HttpdSection section, Account account) {
        this.section = section;
        this.account = account;
    }

    /// Reads one directive.
    void read(HttpdNode node) {
        Place place = node.place();
        switch (node.key()) {
            case "require" -> require(node);
            case "order" -> {
                denyFirst = node.text().toLowerCase(Locale.ROOT).startsWith("deny");
                denied |= !denyFirst;
                account.honoured(place, node.name());
            }
            case "allow" -> from(node, true);
            case "deny" -> from(node, false);
            default -> account.honoured(place, node.name());
        }
    }

    private void require(HttpdNode node) {
        String what = node.argument(0).toLowerCase(Locale.ROOT);
        String second = node.argument(1).toLowerCase(Locale.ROOT);
        switch (what) {
            case "all" -> {
                granted |= second.equals("granted");
                denied |= second.equals("denied");
                account.honoured(node.place(), node.name());
            }
            case "local" -> {
                addresses.add("^127\\.|^0:0:0:0:0:0:0:1$");
                account.honoured(node.place(), node.name());
            }
            case "ip" -> {
                account.honoured(node.place(), node.name());
                node.arguments().subList(1, node.size()).forEach(a -> address(a, node));
            }
            default ->
                    account.wrong(
                            node.place(),
                            node.name(),
                            "\""
                                    + node.text()
                                    + "\" cannot be asked for here; Require all, ip and local can,"
                                    + " and the application can do the rest");
        }
    }

    private void from(HttpdNode node, boolean allow) {
        account.honoured(node.place(), node.name());
        for (String who : node.arguments()) {
            if (who.equalsIgnoreCase("from")) {
                continue;
            }
            if (who.equalsIgnoreCase("all")) {
                granted |= allow;
                denied |= !allow;
            } else if (allow) {
                address(who, node);
            } else {
                account.wrong(node.place(), node.name(), "only \"from all\" can be denied: " + who);
            }
        }
    }

    private void address(String text, HttpdNode node) {
        regex(text)
                .ifPresentOrElse(
                        addresses::add,
                        () ->
                                account.wrong(
                                        node.place(),
                                        node.name(),
                                        "\""
                                                + text
                                                + "\" is no address such as 10.1.2.3, 10.1 or"
                                                + " 10.1.0.0/16 (a mask of 8, 16, 24, 32 bits)"));
    }

    /// Addresses as an expression over dotted numbers.
    static Optional<String> regex(String text) {
        if (text.equalsIgnoreCase("localhost")) {
            return Optional.of("^127\\.|^0:0:0:0:0:0:0:1$");
        }
        if (text.equals("::1")) {
            return Optional.of("^0:0:0:0:0:0:0:1$");
        }
        int slash = text.indexOf('/');
        String[] parts = (slash < 0 ? text : text.substring(0, slash)).split("\\.");
        int bytes = parts.length;
        if (slash >= 0) {
            switch (text.substring(slash + 1)) {
                case "8", "255.0.0.0" -> bytes = 1;
                case "16", "255.255.0.0" -> bytes = 2;
                case "24", "255.255.255.0" -> bytes = 3;
                case "32", "255.255.255.255" -> bytes = 4;
                default -> {
                    return Optional.empty();
                }
            }
        }
        StringBuilder regex = new StringBuilder("^");
        for (int i = 0; i < bytes; i++) {
            if (i >= parts.length || !parts[i].matches("[0-9]{1,3}")) {
                return Optional.empty();
            }
            regex.append(parts[i]).append(i == 3 ? "$" : "\\.");
        }
        return bytes > 4 ? Optional.empty() : Optional.of(regex.toString());
    }

    /// Whether everybody is kept out.
    boolean isDenied() {
        if (!addresses.isEmpty()) {
            return false;
        }
        return granted ? denied && !denyFirst : denied;
    }

    /// Whether some are kept out.
    boolean isLimited() {
        return isDenied() || (!addresses.isEmpty() && !granted);
    }

    /// Rules that refuse: the last section that is about a path decides, as in httpd.
    static List<GatewayRule> rules(List<HttpdAccess> sections) {
        List<GatewayRule> rules = new ArrayList<>();
        List<Condition> notLater = new ArrayList<>();
        for (int i = sections.size() - 1; i >= 0; i--) {
            HttpdAccess access = sections.get(i);
            PathMatch match = access.section.match();
            if (access.isLimited()) {
                List<Condition> when = new ArrayList<>(notLater);
                if (!access.isDenied()) {
                    when.add(
                            new Condition(
                                    "%{REMOTE_ADDR}",
                                    String.join("|", access.addresses), false, true, false));
                }
                rules.add(new GatewayRule(match, List.of(), when, new RuleAction.Refuse(403)));
            }
            notLater.add(
                    new Condition(
                            "%{REQUEST_URI}", HttpdSection.asRegex(match), false, true, false));
        }
        return rules;
    }
}
