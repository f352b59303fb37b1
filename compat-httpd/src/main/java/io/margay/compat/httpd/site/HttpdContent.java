package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.ExpiryRule;
import java.util.ArrayList;
import java.util.List;

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

    /// The same of expiry.
    record Expiry(HttpdSection section, ExpiryRule rule) {}

    final List<Compression> compressions = new ArrayList<>();
    final List<Bandwidth> bandwidths = new ArrayList<>();
    final List<Expiry> expiries = new ArrayList<>();

    /// `DeflateCompressionLevel`; 0 = it does not say.
    int level;
}
