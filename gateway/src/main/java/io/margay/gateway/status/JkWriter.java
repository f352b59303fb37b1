package io.margay.gateway.status;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;

/// One of the formats that mod_jk promises to scripts. Confined to one thread.
abstract sealed class JkWriter permits JkXml, JkText, JkProperties {
    static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");
    static final DateTimeFormatter ZONE = DateTimeFormatter.ofPattern("xx");

    final StringBuilder out = new StringBuilder();

    abstract void begin();

    abstract void element(String element, Map<String, String> values);

    abstract void balancers(int count);

    abstract void balancersEnd();

    abstract void workers(int count);

    abstract void workersEnd();

    abstract void balancer(String name, Map<String, String> values);

    abstract void balancerEnd();

    abstract void member(String balancer, String name, Map<String, String> values);

    abstract void worker(String name, Map<String, String> values);

    abstract void map(String owner, Map<String, String> values);

    abstract void configuration(Map<String, String> values);

    abstract void result(String type, String message);

    /// All of it.
    String end() {
        return out.toString();
    }

    /// Server, time and software.
    void head(JkModel model) {
        Map<String, String> server = new LinkedHashMap<>();
        server.put("name", model.host);
        server.put("port", Integer.toString(model.port));
        element("server", server);
        ZonedDateTime now = model.now.atZone(ZoneId.systemDefault());
        Map<String, String> time = new LinkedHashMap<>();
        time.put("datetime", STAMP.format(now));
        time.put("tz", ZONE.format(now));
        time.put("unix", Long.toString(now.toEpochSecond()));
        element("time", time);
        Map<String, String> software = new LinkedHashMap<>();
        software.put("web_server", model.software());
        software.put("jk_version", model.software());
        element("software", software);
    }

    /// A value that cannot end its line.
    static String line(String value) {
        return value.replace('\r', ' ').replace('\n', ' ');
    }
}
