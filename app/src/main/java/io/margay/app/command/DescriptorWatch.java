package io.margay.app.command;

import io.margay.app.config.AutoDeploySettings;
import io.margay.app.deploy.ChangeCause;
import io.margay.compat.tomcat.server.CatalinaBase;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Looks at the descriptors of contexts of a `CATALINA_BASE` again and again, and has everything
/// read again when one is new, has changed or has gone, as Tomcat's `autoDeploy` does. Its state is
/// confined to one thread, `margay-descriptors`.
final class DescriptorWatch {
    private static final System.Logger LOG = System.getLogger(DescriptorWatch.class.getName());

    private final Path base;
    private final Runnable reload;
    private String inForce;
    private String seen;

    DescriptorWatch(Path base, Runnable reload) {
        this.base = base;
        this.reload = reload;
        inForce = state();
        seen = inForce;
    }

    /// Begins; ends with the process.
    static void start(Path base, Serving serving) {
        DescriptorWatch watch =
                new DescriptorWatch(
                        base,
                        () -> {
                            String _ = serving.reload(new ChangeCause("by a changed descriptor"));
                        });
        long millis = AutoDeploySettings.EVERY_DEFAULT.toMillis();
        var _ =
                Executors.newSingleThreadScheduledExecutor(task ->
                                Thread.ofPlatform()
                                        .name("margay-descriptors")
                                        .daemon()
                                        .unstarted(task))
                        .scheduleWithFixedDelay(watch::look, millis, millis, TimeUnit.MILLISECONDS);
    }

    /// Has everything read again when two looks in a row have found the same change, so that what
    /// is still being written is left alone. What throws would not be run again.
    void look() {
        try {
            String now = state();
            if (!now.equals(inForce) && now.equals(seen)) {
                inForce = now;
                reload.run();
            }
            seen = now;
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "reading everything again failed", e);
        }
    }

    private String state() {
        StringBuilder state = new StringBuilder();
        for (Path file : CatalinaBase.descriptors(base)) {
            state.append(file).append(' ');
            try {
                state.append(Files.size(file)).append('@').append(Files.getLastModifiedTime(file));
            } catch (IOException e) {
                state.append("gone"); // In this moment.
            }
            state.append('\n');
        }
        return state.toString();
    }
}
