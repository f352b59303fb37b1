package io.margay.lab.preset;

import java.util.ArrayList;
import java.util.List;

/// Names of servers that several presets compare. Stateless.
final class Servers {
    static final String TOMCAT = "tomcat:nio";
    static final String TOMCAT_HTTP2 = "tomcat:http2";
    static final List<String> MARGAY = List.of("margay:native", "margay:nio", "margay:blocking");

    /// The front ends of httpd.
    static final List<String> HTTPD =
            List.of("httpd:proxy_http", "httpd:mod_jk", "httpd:proxy_ajp");

    /// The front ends that are compared with those of httpd.
    static final List<String> OTHER_FRONTS =
            List.of("gateway:ajp", "gateway:http", "nginx:proxy", "haproxy");

    static final String JK = "httpd:mod_jk/" + TOMCAT;

    /// With Debian's settings: an access log, and a hundred requests on each connection.
    static final String JK_DEBIAN = "httpd:mod_jk-debian/" + TOMCAT;

    static final String AJP = "httpd:proxy_ajp/" + TOMCAT;

    static final String NGINX = "nginx:proxy/" + TOMCAT;
    static final String HAPROXY = "haproxy/" + TOMCAT;
    static final String GATEWAY_HTTP = "gateway:http/" + TOMCAT;
    static final String GATEWAY_AJP = "gateway:ajp/" + TOMCAT;

    private Servers() {}

    /// Front ends before the same back end, whose name may end in `*2`.
    static List<String> before(String back, List<String> fronts) {
        return fronts.stream().map(front -> front + "/" + back).toList();
    }

    @SafeVarargs
    static List<String> all(List<String>... lists) {
        List<String> all = new ArrayList<>();
        for (List<String> list : lists) {
            all.addAll(list);
        }
        return all;
    }
}
