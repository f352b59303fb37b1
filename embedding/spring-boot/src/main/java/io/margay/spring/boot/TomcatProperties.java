package io.margay.spring.boot;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/// The properties `server.tomcat.*` of an application that ran on Tomcat before: they have no
/// effect, and those of this server are to be written in their place. Stateless.
final class TomcatProperties {
    private static final String PREFIX = "server.tomcat.";

    /// Without hyphens, as relaxed binding compares names.
    private static final Map<String, String> SAME =
            Map.ofEntries(
                    Map.entry("threads.max", "threads.max"),
                    Map.entry("threads.minspare", "threads.min-spare"),
                    Map.entry("threads.maxqueuecapacity", "threads.max-queue-capacity"),
                    Map.entry("maxconnections", "max-connections"),
                    Map.entry("acceptcount", "accept-count"),
                    Map.entry("maxkeepaliverequests", "max-keep-alive-requests"),
                    Map.entry("connectiontimeout", "connection-timeout"),
                    Map.entry("keepalivetimeout", "keep-alive-timeout"),
                    Map.entry("maxhttpformpostsize", "max-http-form-post-size"),
                    Map.entry("maxparametercount", "max-parameter-count"),
                    Map.entry("maxpartcount", "max-part-count"),
                    Map.entry("maxpartheadersize", "max-part-header-size"),
                    Map.entry("maxswallowsize", "max-swallow-size"),
                    Map.entry("relaxedpathchars", "relaxed-path-chars"),
                    Map.entry("relaxedquerychars", "relaxed-query-chars"),
                    Map.entry("userelativeredirects", "use-relative-redirects"));

    private TomcatProperties() {}

    /// Names those that are set, each with what to write in its place; null when there are none.
    static @Nullable String told(Environment environment) {
        if (!(environment instanceof ConfigurableEnvironment all)) {
            return null;
        }
        Map<String, String> found = new TreeMap<>();
        for (PropertySource<?> source : all.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> named) {
                for (String name : named.getPropertyNames()) {
                    String plain = name.toLowerCase(Locale.ROOT).replace('_', '.');
                    if (plain.startsWith(PREFIX)) {
                        found.put(name, instead(plain.substring(PREFIX.length())));
                    }
                }
            }
        }
        return found.isEmpty()
                ? null
                : "Properties server.tomcat.* have no effect with Margay: "
                        + found.entrySet().stream()
                                .map(one -> one.getKey() + " (" + one.getValue() + ")")
                                .collect(Collectors.joining(", "));
    }

    private static String instead(String name) {
        String same = SAME.get(name.replace("-", ""));
        if (same != null) {
            return "write server.margay." + same;
        }
        if (name.startsWith("accesslog.")) {
            return "write server.margay.accesslog.file and .format";
        }
        if (name.startsWith("remoteip.")) {
            return "write server.forward-headers-strategy";
        }
        return "there is no counterpart";
    }
}
