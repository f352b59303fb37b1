package io.margay.gateway.status;

import java.util.Map;

/// `mime=xml`. Confined to one thread.
final class JkXml extends JkWriter {
    @Override
    void begin() {
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n");
        out.append("<jk:status\n  xmlns:jk=\"http://tomcat.apache.org\">\n");
    }

    private void open(int indent, String element, Map<String, String> values, String close) {
        String space = " ".repeat(indent);
        out.append(space).append("<jk:").append(element).append('\n');
        values.forEach((name, value) ->
                out.append(space)
                        .append("  ")
                        .append(name)
                        .append("=\"")
                        .append(StatusPage.escaped(line(value)))
                        .append("\"\n"));
        out.append(space).append(close).append('\n');
    }

    private static Map<String, String> named(String name, Map<String, String> values) {
        Map<String, String> all = new java.util.LinkedHashMap<>();
        all.put("name", name);
        all.putAll(values);
        return all;
    }

    @Override
    void element(String element, Map<String, String> values) {
        open(0, element, values, "/>");
    }

    @Override
    void balancers(int count) {
        open(0, "balancers", Map.of("count", Integer.toString(count)), ">");
    }

    @Override
    void balancersEnd() {
        out.append("</jk:balancers>\n");
    }

    @Override
    void workers(int count) {
        open(0, "ajp_workers", Map.of("count", Integer.toString(count)), ">");
    }

    @Override
    void workersEnd() {
        out.append("</jk:ajp_workers>\n");
    }

    @Override
    void balancer(String name, Map<String, String> values) {
        open(2, "balancer", named(name, values), ">");
    }

    @Override
    void balancerEnd() {
        out.append("  </jk:balancer>\n");
    }

    @Override
    void member(String balancer, String name, Map<String, String> values) {
        open(6, "member", named(name, values), "/>");
    }

    @Override
    void worker(String name, Map<String, String> values) {
        open(2, "ajp", named(name, values), "/>");
    }

    @Override
    void map(String owner, Map<String, String> values) {
        open(6, "map", values, "/>");
    }

    @Override
    void configuration(Map<String, String> values) {
        open(2, "configuration", values, "/>");
    }

    @Override
    void result(String type, String message) {
        Map<String, String> values = new java.util.LinkedHashMap<>();
        values.put("type", type);
        values.put("message", message);
        open(2, "result", values, "/>");
        out.append("</jk:status>\n");
    }
}
