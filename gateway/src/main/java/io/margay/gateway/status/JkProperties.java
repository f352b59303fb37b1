package io.margay.gateway.status;

import java.util.Map;

/// `mime=prop`. Confined to one thread.
final class JkProperties extends JkWriter {
    private static final String PREFIX = "worker.";

    @Override
    void begin() {}

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
        values.forEach((key, value) -> put(name + "." + key, value));
    }

    @Override
    void balancerEnd() {}

    @Override
    void member(String balancer, String name, Map<String, String> values) {
        put(balancer + ".balance_workers", name);
        // mod_jk prints a member's time of reset under its balancer's name.
        values.forEach((key, value) ->
                put((key.startsWith("last_reset") ? balancer : name) + "." + key, value));
    }

    @Override
    void worker(String name, Map<String, String> values) {
        put(name + ".list", name);
        values.forEach((key, value) -> put(name + "." + key, value));
    }

    @Override
    void map(String owner, Map<String, String> values) {
        String id = values.getOrDefault("id", "0");
        values.forEach((key, value) -> {
            if (!key.equals("id")) {
                put(owner + ".map." + id + "." + key, value);
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
