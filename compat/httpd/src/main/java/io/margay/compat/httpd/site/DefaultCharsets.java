package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.FieldRule.Change;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// `AddDefaultCharset` for what members and programs answer, which httpd gives a charset as it does
/// files: `text/plain` and `text/html` that have none. Stateless.
final class DefaultCharsets {
    private static final String NAME = "Content-Type";
    private static final String WITHOUT = "^((?i)text/(?:plain|html))\\s*$";

    /// Stands where another section says `Off`, until all have been asked.
    private static final String OFF = ";";

    /// What a section says.
    ///
    /// @param charset empty = none
    record Said(HttpdSection section, String charset) {}

    private DefaultCharsets() {}

    static Said of(HttpdNode node, HttpdSection section) {
        String word = node.argument(0);
        boolean off = word.equalsIgnoreCase("off");
        return new Said(section, off ? "" : word.equalsIgnoreCase("on") ? "iso-8859-1" : word);
    }

    /// Changes of responses, after all others.
    static List<FieldRule> rules(List<Said> all) {
        List<Said> last = new ArrayList<>(all);
        last.sort(Comparator.comparingInt(one -> one.section().rank()));
        List<FieldRule> rules = new ArrayList<>();
        if (all.stream().allMatch(one -> one.charset.isEmpty())) {
            return rules;
        }
        boolean off = false;
        for (Said one : last.reversed()) {
            off |= one.charset.isEmpty();
            String added = one.charset.isEmpty() ? OFF : "; charset=" + one.charset;
            rules.add(edit(one.section(), WITHOUT, "$1" + added));
        }
        if (off) {
            rules.add(edit(HttpdSection.NONE, "^(.*)" + OFF + "$", "$1"));
        }
        return rules;
    }

    private static FieldRule edit(HttpdSection section, String regex, String value) {
        PathMatch paths = section.paths();
        return new FieldRule(paths, section.mapped(), Change.EDIT, NAME, value, regex, false);
    }
}
