package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.acme.AcmeKeys;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.WorkFolder;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.file.deploy.DeployKeys;
import io.margay.app.config.listener.ListenerKeys;
import io.margay.app.config.members.RegisterKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.shared.SharedKeys;
import io.margay.app.slow.SlowSettings;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Named;
import io.margay.app.yaml.Shape.Section;

/// The keys of `margay.yaml`: what the reader takes, the schema says and the reference lists.
public final class FileShape {
    /// What holds for the whole server. Listeners, hosts and upstreams are read and written beside
    /// it.
    public static final Binding<MargayConfig> ROOT =
            Binding.of("the file", MargayConfig.defaults())
                    .shape(
                            "listeners",
                            () -> new Items("listeners", ListenerKeys.LISTENER.shape(), 1))
                    .shape("hosts", () -> new Items("hosts", HostBinding.shape(), 1))
                    .form("sessions", () -> section(SessionKeys.SESSIONS))
                    .form("workers", () -> section(LimitKeys.WORKERS))
                    .form("limits", () -> section(LimitKeys.LIMITS))
                    .form("deploy", () -> section(DeployKeys.DEPLOY))
                    .form("resources", () -> ResourceKeys.SOURCES)
                    .form("work", path().as(WorkFolder::exactly, WorkFolder::path))
                    .form("slow", FileShape::slow)
                    .shape("register", () -> RegisterKeys.REGISTRATIONS.shape())
                    .shape(
                            "upstreams",
                            () ->
                                    new Named(
                                            "upstreams by name",
                                            "NAME",
                                            UpstreamKeys.NAME,
                                            UpstreamKeys.UPSTREAM.shape()))
                    .shape(AcmeKeys.ACME, () -> AcmeKeys.OF_FILE.shape())
                    .form("shared", () -> section(SharedKeys.SETTINGS))
                    .keys(
                            """
                            listeners [one, `http: 127.0.0.1:8080`]: Where the server listens.
                            hosts [required]: What it serves.
                            sessions [=in memory]: Where sessions are kept.
                            workers [=loops and a pool of threads]: Where servlets run; read at
                              start only.
                            limits [=as listed]: Limits on what clients may do.
                            deploy [=as listed]: How applications are deployed.
                            resources (deploy.resources): Data sources that applications share, by
                              the name under which they ask for it, as in `jdbc/shop`.
                            work (workFolder) [=`work/PORT`, of the first listener]: Folder for
                              unpacked archives, compiled pages and kept sessions; read at start
                              only.
                            drain: Drain time: how long requests in flight may take when the server
                              stops.
                            drain-delay: How long new connections are accepted after SIGTERM while
                              `/health` answers 503, so that load balancers can react.
                            slow (limits.slow) [=0s]: Samples the thread of each request that takes
                              longer, for the log, the console and `margay explain`; `p99.9`, `[2s,
                              p99.9]`: or longer than p99.9 of its route in the last hour; 0s = off.
                            register [none]: Gateways where this server registers as a member while
                              it accepts requests.
                            upstreams [none]: Groups of servers that routes pass requests on to.
                            acme [none]: Defaults of each `acme` of listeners and hosts.
                            shared [nothing is shared]: The store (Valkey or Redis) through which
                              gateways share member changes, counts of limits, TLS sessions and
                              certificates; read at start only.
                            """)
                    .elsewhere(AdminKeys.ADMIN.shapes())
                    .part("seen", TelemetryKeys.SEEN);

    private FileShape() {}

    private static Form<?> slow() {
        return listOrOne(
                        "times and p99.9",
                        text("a time such as 2s, or p99.9", SlowSettings::word),
                        1)
                .as(SlowSettings::of, SlowSettings::words);
    }

    /// The whole file.
    public static Section root() {
        return ROOT.shape();
    }
}
