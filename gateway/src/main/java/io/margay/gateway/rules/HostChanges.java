package io.margay.gateway.rules;

import io.margay.gateway.rules.GatewayRule.Condition;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a host changes in requests and responses that pass it, and how much of them it lets pass.
/// Immutable.
///
/// @param variables set before rules are asked, in order
/// @param maps for `${map:key}`, by name
/// @param request changes of requests on their way to peers
/// @param response changes of responses, whoever answers
/// @param errors pages in place of this server's own
/// @param client from whom it is believed where clients are; null = nobody
/// @param compression which responses are compressed, in order
/// @param expiry how long clients may keep responses
/// @param sizes how large requests may be; all that are about one hold
/// @param bandwidth how fast responses are sent, in order
/// @param substitutions text that is replaced in responses
/// @param cache which responses are kept for other clients, in order
/// @param places where the host's expressions are written
@RecordBuilder
public record HostChanges(
        List<VariableRule> variables,
        Map<String, MapSource> maps,
        List<FieldRule> request,
        List<FieldRule> response,
        List<ErrorPage> errors,
        @Nullable ClientAddress client,
        List<CompressionRule> compression,
        List<ExpiryRule> expiry,
        List<SizeRule> sizes,
        List<BandwidthRule> bandwidth,
        List<SubstitutionRule> substitutions,
        List<CacheRule> cache,
        ExpressionPlaces places)
        implements HostChangesBuilder.With {
    /// Nothing.
    public static final HostChanges NONE =
            new HostChanges(List.of(), Map.of(), List.of(), List.of(), List.of());

    /// Clients are where connections come from, and it is not known where expressions are written.
    public HostChanges(
            List<VariableRule> variables,
            Map<String, MapSource> maps,
            List<FieldRule> request,
            List<FieldRule> response,
            List<ErrorPage> errors) {
        this(
                variables,
                maps,
                request,
                response,
                errors,
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new ExpressionPlaces());
    }

    public HostChanges {
        variables = List.copyOf(variables);
        maps = Map.copyOf(maps);
        request = List.copyOf(request);
        response = List.copyOf(response);
        errors = List.copyOf(errors);
        compression = List.copyOf(compression);
        expiry = List.copyOf(expiry);
        sizes = List.copyOf(sizes);
        bandwidth = List.copyOf(bandwidth);
        substitutions = List.copyOf(substitutions);
        cache = List.copyOf(cache);
    }

    /// Whether it changes nothing. Costs less than the first comparison of records, for which the
    /// JVM makes code.
    public boolean isNothing() {
        return variables.isEmpty()
                && maps.isEmpty()
                && request.isEmpty()
                && response.isEmpty()
                && errors.isEmpty()
                && client == null
                && compression.isEmpty()
                && expiry.isEmpty()
                && sizes.isEmpty()
                && bandwidth.isEmpty()
                && substitutions.isEmpty()
                && cache.isEmpty();
    }

    /// Whether something of it depends on the file that a request is for.
    public boolean asksFile() {
        return Stream.of(
                        variables.stream().map(VariableRule::when),
                        request.stream().map(FieldRule::when),
                        response.stream().map(FieldRule::when),
                        errors.stream().map(ErrorPage::when),
                        compression.stream().map(CompressionRule::when),
                        expiry.stream().map(ExpiryRule::when),
                        bandwidth.stream().map(BandwidthRule::when),
                        substitutions.stream().map(SubstitutionRule::when),
                        cache.stream().map(CacheRule::when),
                        cache.stream().map(one -> one.requests().bypass()),
                        cache.stream().map(one -> one.requests().skip()))
                .flatMap(rules -> rules)
                .flatMap(List::stream)
                .anyMatch(Condition::asksFile);
    }
}
