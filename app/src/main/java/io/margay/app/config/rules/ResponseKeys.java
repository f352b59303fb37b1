package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.ExpiryRule.Base;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.server.compression.Coding;
import io.margay.server.compression.CompressionConfig;
import java.time.Duration;
import java.util.List;

/// The keys by which hosts and routes say which responses are compressed, and hosts how long
/// clients may keep them.
public final class ResponseKeys {
    public static final String COMPRESSION = "compression";

    public static final Form<List<String>> MEDIA_TYPES =
            list(
                    "media types",
                    text("a media type, as in text/html or text/*", CompressionConfig::checkType),
                    0);

    public static final Keys<CompressionConfig> CONFIG =
            Binding.of("the compression", CompressionConfig.defaults())
                    .form(
                            "codings",
                            list("codings", word(List.of(Coding.values()), Coding::token), 0))
                    .form("min-size", bytes(0, Long.MAX_VALUE))
                    .form("types", MEDIA_TYPES)
                    .keys(
                            """
                            codings: The content codings that may be used; where a client accepts
                              several equally, the first is taken. br needs the system's library
                              libbrotlienc, zstd libzstd: without it the coding is left out.
                            level <1 to 9>: How hard gzip tries: 1 is the least effort, 9 the fewest
                              bytes.
                            min-size (minBytes): Shorter content is not compressed.
                            types: Media types that are compressed; one `*` stands for any
                              characters.
                            """);

    private static final Keys<CompressionRule> RULE =
            Binding.of("a compression", CompressionRule.of(CompressionConfig.defaults()))
                    .part("what", CONFIG)
                    .keys(
                            """
                            group <a name>: With `codings: []`, later entries of the same group are
                              skipped.
                            """)
                    .then(MatchKeys::ordered);

    public static final Form<List<CompressionRule>> COMPRESSIONS =
            listOrOne("compressions", section(RULE), 0);

    private static final Keys<ExpiryRule> EXPIRY =
            Binding.of("an expiry", new ExpiryRule(PathMatch.ANY, List.of(), "", Base.ACCESS, 0))
                    .form(
                            "type",
                            text(
                                    "a media type, as in image/png or image/*",
                                    CompressionConfig::checkType))
                    .form("after", duration().as(Duration::toSeconds, Duration::ofSeconds))
                    .keys(
                            """
                            type [any]: Media type of the response. An exact type takes precedence
                              over `image/*`, and that over any; of equals the last applies.
                            after (seconds): How long clients may keep the response, as `Expires`
                              and `Cache-Control: max-age`.
                            from (base): Start of `after`: `access` = the request, `modified` = a
                              file's `Last-Modified`. `never` overrides earlier rules; `inactive`
                              overrides all rules, unless a later one says `active`.
                            """)
                    .then(MatchKeys::ordered);

    public static final Form<List<ExpiryRule>> EXPIRIES = listOrOne("expiries", section(EXPIRY), 0);

    private ResponseKeys() {}
}
