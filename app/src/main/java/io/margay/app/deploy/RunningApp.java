package io.margay.app.deploy;

import io.margay.app.config.DeployOptions;
import io.margay.app.config.SessionSettings;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.exchange.Handler;
import io.margay.server.meter.InFlight;
import io.margay.servlet.deploy.Deployment;
import io.margay.servlet.settings.ServletLimits;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/// An application that runs, what it was deployed from, and the requests that it has begun.
/// Thread-safe.
public final class RunningApp implements Handler, ExchangeObserver {
    private static final int SERVER_ERROR = 500;

    private final Key key;
    private final Deployment deployment;
    private final Duration took;
    private final InFlight requests = new InFlight();
    private final LongAdder errors = new LongAdder();

    /// @param took how long its deployment took
    RunningApp(Key key, Deployment deployment, Duration took) {
        this.key = key;
        this.took = took;
        this.deployment = deployment;
    }

    /// What an application is deployed from: equal keys need no second deployment.
    ///
    /// @param stamp tells whether anything has changed for which a reload of the configuration
    ///   deploys it anew
    /// @param watched tells whether the file has changed that is watched while the server runs
    @RecordBuilder
    public record Key(
            AppName name,
            Path file,
            String stamp,
            String watched,
            Map<String, String> params,
            ServletLimits limits,
            DeployOptions options,
            SessionSettings sessions) {
        /// Shown in messages: the file, and where it is served when its name does not say so.
        @Override
        public String toString() {
            return file + " at " + name;
        }
    }

    public Key key() {
        return key;
    }

    public AppName name() {
        return key.name;
    }

    public Deployment deployment() {
        return deployment;
    }

    /// How long its deployment took.
    Duration took() {
        return took;
    }

    /// The requests that this application has begun.
    public InFlight requests() {
        return requests;
    }

    /// Responses with a status from 500 on.
    public LongAdder errors() {
        return errors;
    }

    /// A request goes to it: it is the observer of its end.
    public void begin() {
        requests.begin();
    }

    @Override
    public void ended(Exchange exchange) {
        requests.end();
        if (exchange.status() >= SERVER_ERROR) {
            errors.increment();
        }
    }

    /// Those among handlers, each version of an application by itself.
    public static Stream<RunningApp> among(Collection<Handler> handlers) {
        return handlers.stream()
                .flatMap(handler ->
                        switch (handler) {
                            case RunningApp app -> Stream.of(app);
                            case AppVersions versions -> versions.all().stream();
                            default -> Stream.empty();
                        });
    }

    /// What answers, without a frame of this class on the way.
    public Handler handler() {
        return deployment.webApp().handler();
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        handler().handle(exchange);
    }

    /// Length and time of a WAR; of a folder the times of what a developer changes in it.
    static String stamp(Path file) {
        return Files.isDirectory(file)
                ? stampOf(
                        file,
                        "",
                        "WEB-INF",
                        "WEB-INF/web.xml",
                        "WEB-INF/classes",
                        "WEB-INF/lib",
                        "META-INF/context.xml")
                : stampOf(file, "");
    }

    /// Length and time of a WAR; of a folder those of its two descriptors, so that nothing that the
    /// application itself writes below WEB-INF deploys it anew.
    static String watched(Path file) {
        return Files.isDirectory(file)
                ? stampOf(file, "WEB-INF/web.xml", "META-INF/context.xml")
                : stampOf(file, "");
    }

    private static String stampOf(Path file, String... parts) {
        StringBuilder stamp = new StringBuilder();
        for (String part : List.of(parts)) {
            stamp.append(stampOf(file.resolve(part))).append(' ');
        }
        return stamp.toString();
    }

    private static String stampOf(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            long length = attributes.isDirectory() ? 0 : attributes.size();
            return length + "@" + attributes.lastModifiedTime().toMillis();
        } catch (IOException e) {
            return "none";
        }
    }
}
