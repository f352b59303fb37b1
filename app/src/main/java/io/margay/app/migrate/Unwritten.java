package io.margay.app.migrate;

import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.login.Login;
import io.margay.gateway.plan.HostPlan;
import io.margay.gateway.rules.ErrorPage.Content.Asked;
import io.margay.gateway.rules.MapSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What nginx.conf says and margay.yaml has no key for. Stateless.
public final class Unwritten {
    private Unwritten() {}

    /// The directives in question, in order.
    public static Set<String> directives(GatewayPlan plan) {
        Set<String> found = new TreeSet<>();
        for (HostPlan host : plan.hosts()) {
            if (!host.entry().limits().isEmpty()) {
                found.add("limit_req and limit_conn");
            }
            if (host.names().stream().anyMatch(Unwritten::isPattern)) {
                found.add("server_name with an expression or .* at its end");
            }
            if (host.changes().maps().values().stream()
                    .anyMatch(map ->
                            map instanceof MapSource.Geo || map instanceof MapSource.Split)) {
                found.add("geo and split_clients");
            }
            if (host.changes().maps().containsValue(new MapSource.Link())) {
                found.add("secure_link");
            }
            if (host.changes().errors().stream()
                    .anyMatch(page ->
                            page.content() instanceof Asked(String _, int status)
                                    && status != Asked.OF_SERVERS)) {
                found.add("error_page with another page's status");
            }
            if (sections(host.access()).anyMatch(Unwritten::isToldOtherwise)) {
                found.add("auth_request");
            }
        }
        return found;
    }

    private static boolean isPattern(String name) {
        return name.startsWith("~") || name.endsWith(".*");
    }

    private static Stream<AccessSection> sections(HostAccess access) {
        return Stream.of(List.of(access.always()), access.folders(), access.paths(), access.peers())
                .flatMap(List::stream)
                .flatMap(Unwritten::withInner);
    }

    private static Stream<AccessSection> withInner(AccessSection section) {
        return Stream.concat(
                Stream.of(section),
                Stream.concat(section.files().stream(), section.conditional().stream())
                        .flatMap(Unwritten::withInner));
    }

    private static boolean isToldOtherwise(AccessSection section) {
        return section.rules().login().users() instanceof Login.Users.OfService(var service)
                && service.telling() != null;
    }
}
