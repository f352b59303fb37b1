package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.SubstitutionRule;
import io.margay.gateway.rules.SubstitutionRule.Inherited;
import io.margay.gateway.rules.SubstitutionRule.Lines;
import io.margay.gateway.rules.SubstitutionRule.Responses;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/// What a server says of the content of its responses, as it is read. Confined to one reading.
final class HttpdContent {
    /// What a section says of one chain of filters.
    sealed interface OfChain {
        HttpdSection section();

        String chain();
    }

    /// A rule with the section that it stands in; its paths are those of the section, unless that
    /// is a folder.
    record Compression(HttpdSection section, CompressionRule rule) implements OfChain {
        @Override
        public String chain() {
            return rule.group();
        }

        /// Whether it says that nothing of its group is compressed.
        boolean stops() {
            return rule.what().codings().isEmpty();
        }
    }

    /// The same of how fast responses are sent.
    ///
    /// @param removes whether it counts whatever else its section says of its group
    record Bandwidth(HttpdSection section, BandwidthRule rule, boolean removes) implements OfChain {
        @Override
        public String chain() {
            return rule.group();
        }
    }

    /// The same of what is replaced.
    record Substitution(HttpdSection section, SubstitutionRule rule) implements OfChain {
        @Override
        public String chain() {
            return rule.what() instanceof Responses some ? some.group() : "lines";
        }
    }

    /// The same of expiry.
    record Expiry(HttpdSection section, ExpiryRule rule) {}

    final List<Compression> compressions = new ArrayList<>();
    final List<Bandwidth> bandwidths = new ArrayList<>();
    final List<Substitution> substitutions = new ArrayList<>();

    /// What each section has replaced, where it stands in that list.
    private final IdentityHashMap<HttpdSection, Integer> replaced = new IdentityHashMap<>();

    final List<Expiry> expiries = new ArrayList<>();

    /// Adds to what a section has replaced.
    void replaced(HttpdSection section, UnaryOperator<Lines> change) {
        Integer known = replaced.get(section);
        Lines before =
                known != null && substitutions.get(known).rule().what() instanceof Lines lines
                        ? lines
                        : new Lines(List.of(), Inherited.AS_BEFORE, 0);
        Substitution next =
                new Substitution(
                        section,
                        new SubstitutionRule(
                                section.paths(), section.mapped(), change.apply(before)));
        if (known == null) {
            replaced.put(section, substitutions.size());
            substitutions.add(next);
        } else {
            substitutions.set(known, next);
        }
    }

    /// `DeflateCompressionLevel`; 0 = it does not say.
    int level;
}
