package io.margay.gateway.status;

import java.util.Map;
import java.util.Set;

/// `mime=txt`. Confined to one thread.
final class JkText extends JkWriter {
    private static final Set<String> QUOTED =
            Set.of("route", "redirect", "domain", "web_server", "message");

    @Override
    void begin() {}

    private void line(String label, Map<String, String> values, boolean quoteAll) {
        out.append(label).append(':');
        values.forEach((name, value) -> {
            boolean quoted = QUOTED.contains(name) || (quoteAll && !name.equals("id"));
            out.append(' ').append(name).append('=');
            out.append(quoted ? "\"" : "").append(line(value)).append(quoted ? "\"" : "");
        });
        out.append('\n');
    }

    private void named(String label, String name, Map<String, String> values) {
        Map<String, String> all = new java.util.LinkedHashMap<>();
        all.put("name", name);
        all.putAll(values);
        line(label, all, false);
    }

    @Override
    void element(String element, Map<String, String> values) {
        line(
                switch (element) {
                    case "server" -> "Server";
                    case "time" -> "Time";
                    default -> "Software";
                },
                values,
                false);
    }

    @Override
    void balancers(int count) {
        out.append("Balancer Workers: count=").append(count).append('\n');
    }

    @Override
    void balancersEnd() {}

    @Override
    void workers(int count) {
        out.append("AJP Workers: count=").append(count).append('\n');
    }

    @Override
    void workersEnd() {}

    @Override
    void balancer(String name, Map<String, String> values) {
        named("Balancer Worker", name, values);
    }

    @Override
    void balancerEnd() {}

    @Override
    void member(String balancer, String name, Map<String, String> values) {
        named("Member", name, values);
    }

    @Override
    void worker(String name, Map<String, String> values) {
        named("AJP Worker", name, values);
    }

    @Override
    void map(String owner, Map<String, String> values) {
        line("Map", values, true);
    }

    @Override
    void configuration(Map<String, String> values) {
        out.append("Configuration:\n");
        values.forEach((name, value) -> out.append(name + "=" + line(value) + "\n"));
    }

    @Override
    void result(String type, String message) {
        out.append("Result: type=" + type + " message=\"" + message + "\"\n");
    }
}
