package io.margay.app.migrate;

import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostPlace;
import io.margay.app.config.HostSettings;
import io.margay.app.config.HostSettingsBuilder;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.ListenerSettings.Senders;
import io.margay.app.config.ListenerSettingsBuilder;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.PathSettings;
import io.margay.app.config.RouteSettings;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.plan.HostPlan;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.plan.ListenerPlan;
import io.margay.protocol.http.RequestTarget;
import io.margay.transport.TlsConfig;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes the configuration of a server of what httpd's files say. Stateless.
public final class GatewayConfig {
    private static final int HTTP_PORT = 80;

    /// What httpd lets in, but for a backslash in the path, which other servers read as a slash.
    private static final RequestTarget.Characters CHARACTERS =
            RequestTarget.Characters.of(
                    RequestTarget.Characters.RELAXABLE.replace("\\", ""),
                    RequestTarget.Characters.RELAXABLE);

    private GatewayConfig() {}

    /// The configuration.
    ///
    /// @param http listeners that take the place of the files' plain ones, in their order; empty =
    ///   the files' own, or 127.0.0.1:8080 where they name none
    public static MargayConfig of(GatewayPlan plan, List<Endpoint> http) {
        List<ListenerSettings> listeners = new ArrayList<>();
        Map<Integer, Integer> moved = new LinkedHashMap<>();
        List<ListenerPlan> plain =
                plan.listeners().stream().filter(one -> one.tls() == null).toList();
        boolean replace = !http.isEmpty() || plan.listeners().isEmpty();
        List<Endpoint> endpoints =
                !http.isEmpty() ? http : List.of(new Endpoint(Endpoint.LOOPBACK, 8080));
        if (replace) {
            List<Integer> ports = plainPorts(plan, plain);
            for (int i = 0; i < endpoints.size(); i++) {
                ListenerSettings made = plain(endpoints.get(i));
                listeners.add(i < plain.size() ? behind(made, plain.get(i)) : made);
                if (i < ports.size()) {
                    moved.put(ports.get(i), endpoints.get(i).port());
                }
            }
        }
        for (ListenerPlan one : plan.listeners()) {
            if (one.tls() != null || !replace) {
                listeners.add(listener(one));
            }
        }
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();
        plan.upstreams().forEach(upstream -> upstreams.put(upstream.name(), upstream));
        return MargayConfig.defaults()
                .withListeners(listeners)
                .withHosts(plan.hosts().stream().map(host -> host(host, moved)).toList())
                .withUpstreams(upstreams)
                .withAcme(plan.acme())
                .withLimits(ClientLimitSettings.of(plan.clients(), !upstreams.isEmpty()));
    }

    /// The ports for which a replacing listener stands: of plain listeners, or of hosts where there
    /// is no `Listen`.
    private static List<Integer> plainPorts(GatewayPlan plan, List<ListenerPlan> plain) {
        if (!plain.isEmpty()) {
            return plain.stream().map(ListenerPlan::port).toList();
        }
        Stream<Integer> ofHosts =
                plan.hosts().stream()
                        .flatMap(host -> host.at().stream())
                        .map(HostPlace::parse)
                        .map(HostPlace::port)
                        .filter(port -> port != 0 && port != 443);
        return Stream.concat(ofHosts, Stream.of(HTTP_PORT)).distinct().toList();
    }

    private static ListenerSettings plain(Endpoint at) {
        return ListenerSettingsBuilder.builder(ListenerSettings.http(at))
                .characters(CHARACTERS)
                .build();
    }

    private static ListenerSettings listener(ListenerPlan plan) {
        ListenerSettings plain = behind(plain(new Endpoint(plan.host(), plan.port())), plan);
        TlsConfig tls = plan.tls();
        return tls == null ? plain : plain.withTls(tls).withHttp3(plan.http3());
    }

    /// httpd believes whoever sends a header, and takes no connection without one but from those
    /// who are excepted.
    private static ListenerSettings behind(ListenerSettings made, ListenerPlan plan) {
        List<String> except = plan.withoutHeader();
        return ListenerSettingsBuilder.builder(made)
                .http2(plan.http2())
                .proxyProtocol(
                        except == null
                                ? made.proxyProtocol()
                                : new Senders(List.of("0.0.0.0/0", "::/0"), except))
                .build();
    }

    private static HostSettings host(HostPlan host, Map<Integer, Integer> moved) {
        List<RouteSettings> routes = new ArrayList<>();
        for (FilesPlan files : host.files()) {
            if (Files.isDirectory(files.folder()) || Files.isRegularFile(files.folder())) {
                // Which dot files are closed is said by the rules of httpd's file.
                routes.add(
                        new RouteSettings.StaticFiles(
                                files.prefix(),
                                files.folder(),
                                true,
                                files.precompressed(),
                                files.pages()));
            }
        }
        List<AccessLogSettings> logs =
                host.logs().stream()
                        .map(log ->
                                new AccessLogSettings(
                                        log.file(), log.format(), log.when(), log.rotateBytes()))
                        .toList();
        @Nullable AccessLogSettings first = logs.isEmpty() ? null : logs.getFirst();
        List<HostPlace> places =
                host.at().stream().map(HostPlace::parse).map(at -> move(at, moved)).toList();
        return HostSettingsBuilder.builder(new HostSettings(host.names(), first, routes, places))
                .rules(host.rules())
                .sight(HostSettings.Sight.ofLogs(logs))
                .changes(host.changes())
                .access(host.access())
                .paths(PathSettings.of(host.entry().paths()))
                .limits(host.entry().limits())
                .build();
    }

    private static HostPlace move(HostPlace at, Map<Integer, Integer> moved) {
        return new HostPlace(at.host(), moved.getOrDefault(at.port(), at.port()));
    }
}
