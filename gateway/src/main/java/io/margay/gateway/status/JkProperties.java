package io.margay.gateway.status;

import java.util.Map;

/// `mime=prop`. Confined to one thread.
final class JkProperties extends JkWriter {
    private static final String PREFIX = "worker.";

    @Override
    void begin() {}

    /// A name as a part of a key: a URL would end the key at its colon.
    private static String key(String name) {
        return name.replaceAll("[:=#!\\\\\\s]", "\\\\$0");
    }

    /// A value of a member or worker. mod_jk prints a member's times under its balancer's name, and
    /// calls two of them otherwise here than in its other formats.
    private void put(String balancer, String name, String label, String value) {
        boolean time = label.startsWith("last_reset") || label.startsWith("error_time");
        String called =
                switch (label) {
                    case "error_time_unix_seconds" -> "error_time_unix seconds";
                    case "error_time_ago" -> "error_time_ago seconds";
                    default -> label;
                };
        put(key(time ? balancer : name) + "." + called, value);
    }

    private void put(String name, String value) {
        out.append(PREFIX).append(name).append('=').append(line(value)).append('\n');
    }

    @Override
    void element(String element, Map<String, String> values) {
        boolean software = element.equals("software");
        values.forEach((name, value) -> put(software ? name : element + "_" + name, value));
    }

    @Override
    void balancers(int count) {
        put("lb_count", Integer.toString(count));
    }

    @Override
    void balancersEnd() {}

    @Override
    void workers(int count) {
        put("ajp_count", Integer.toString(count));
    }

    @Override
    void workersEnd() {}

    @Override
    void balancer(String name, Map<String, String> values) {
        put("list", name);
        values.forEach((label, value) -> put(key(name) + "." + label, value));
    }

    @Override
    void balancerEnd() {}

    @Override
    void member(String balancer, String name, Map<String, String> values) {
        put(key(balancer) + ".balance_workers", name);
        values.forEach((label, value) -> put(balancer, name, label, value));
    }

    @Override
    void worker(String name, Map<String, String> values) {
        put(key(name) + ".list", name);
        values.forEach((label, value) -> put(name, name, label, value));
    }

    @Override
    void map(String owner, Map<String, String> values) {
        String id = values.getOrDefault("id", "0");
        values.forEach((label, value) -> {
            if (!label.equals("id")) {
                put(key(owner) + ".map." + id + "." + label, value);
            }
        });
    }

    @Override
    void configuration(Map<String, String> values) {
        values.forEach((name, value) -> out.append(name + "=" + line(value) + "\n"));
    }

    @Override
    void result(String type, String message) {
        put("result.type", type);
        put("result.message", message);
    }
}
