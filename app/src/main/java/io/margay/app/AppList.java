package io.margay.app;

import io.margay.app.admin.ManagedServer.App;
import io.margay.app.admin.ManagedServer.State;
import io.margay.app.admin.ManagedServerAppBuilder;
import io.margay.app.deploy.AppFailure;
import io.margay.app.deploy.AppName;
import io.margay.app.deploy.RunningApp;
import io.margay.app.deploy.WantedApps;
import io.margay.app.site.Site;
import io.margay.compat.tomcat.application.Valve;
import io.margay.servlet.session.SessionTotals;
import jakarta.servlet.ServletContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// The applications of a server: those that run, and those that should. Stateless.
final class AppList {
    private AppList() {}

    /// By host, path and version.
    static List<App> of(MargayServer server) {
        Site site = server.site();
        List<App> all = new ArrayList<>();
        Set<AppName> known = new HashSet<>();
        for (RunningApp app : site.apps()) {
            known.add(app.name());
            AppFailure failure = site.failure(app.name());
            long running = app.requests().running();
            all.add(
                    ManagedServerAppBuilder.builder()
                            .host(AppControl.hostOf(app.name()))
                            .path(app.name().contextPath())
                            .version(app.name().version())
                            .state(State.RUNNING)
                            .sessions(app.deployment().webApp().sessions())
                            .totals(app.deployment().webApp().sessionTotals())
                            .sessionsMax(app.key().limits().sessionsMax())
                            .requests(app.requests().begun())
                            .requestsRunning(running)
                            .requestsStuck(stuck(app.deployment().webApp().context()))
                            .errors(app.errors().sum())
                            .file(app.key().file())
                            .failure(failure == null ? null : failure.text())
                            .build());
        }
        Map<AppName, RunningApp.Key> wanted = WantedApps.of(server.config()).keys();
        wanted.forEach((name, key) -> {
            if (known.add(name)) {
                AppFailure failure = server.isStopped(name) ? null : site.failure(name);
                all.add(absent(key, failure));
            }
        });
        all.sort(
                Comparator.comparing(App::host)
                        .thenComparing(App::path)
                        .thenComparing(App::version));
        return all;
    }

    /// How many requests of an application are stuck; -1 = nothing watches that.
    private static int stuck(ServletContext context) {
        return context.getAttribute(Valve.STUCK_REQUESTS) instanceof IntSupplier counted
                ? counted.getAsInt()
                : -1;
    }

    private static App absent(RunningApp.Key key, @Nullable AppFailure failure) {
        return ManagedServerAppBuilder.builder()
                .host(AppControl.hostOf(key.name()))
                .path(key.name().contextPath())
                .version(key.name().version())
                .state(failure == null ? State.STOPPED : State.FAILED)
                .sessions(0)
                .totals(SessionTotals.NONE)
                .sessionsMax(key.limits().sessionsMax())
                .requests(0)
                .requestsRunning(0)
                .requestsStuck(-1)
                .errors(0)
                .file(key.file())
                .failure(failure == null ? null : failure.text())
                .build();
    }
}
