package io.margay.app;

import io.margay.server.meter.Meter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/// What the meters of a server say now.
public final class MeterValues {
    private MeterValues() {}

    /// The sum of those of a name that have these labels among others.
    ///
    /// @param labels as `host=shop`
    public static long sum(MargayServer server, String name, String... labels) {
        return (long) values(server, name, labels).sum();
    }

    /// The first of those of a name.
    public static long first(MargayServer server, String name) {
        return (long) values(server, name).findFirst().orElseThrow();
    }

    private static DoubleStream values(MargayServer server, String name, String... labels) {
        return server.site().meters().stream()
                .filter(meter -> meter.name().equals(name))
                .filter(meter -> has(meter, Arrays.asList(labels)))
                .mapToDouble(meter -> meter.read().getAsDouble());
    }

    private static boolean has(Meter meter, List<String> labels) {
        return meter.labels().stream()
                .map(label -> label.name() + "=" + label.value())
                .toList()
                .containsAll(labels);
    }
}
