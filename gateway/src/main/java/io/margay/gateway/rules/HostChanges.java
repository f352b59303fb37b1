package io.margay.gateway.rules;

import java.util.List;
import java.util.Map;

/// What a host changes in requests and responses that pass it. Immutable.
///
/// @param variables set before rules are asked, in order
/// @param maps for `${map:key}`, by name
/// @param request changes of requests on their way to peers
/// @param response changes of responses, whoever answers
/// @param errors pages in place of this server's own
public record HostChanges(
        List<VariableRule> variables,
        Map<String, MapSource> maps,
        List<FieldRule> request,
        List<FieldRule> response,
        List<ErrorPage> errors) {
    /// Nothing.
    public static final HostChanges NONE =
            new HostChanges(List.of(), Map.of(), List.of(), List.of(), List.of());

    public HostChanges {
        variables = List.copyOf(variables);
        maps = Map.copyOf(maps);
        request = List.copyOf(request);
        response = List.copyOf(response);
        errors = List.copyOf(errors);
    }
}
