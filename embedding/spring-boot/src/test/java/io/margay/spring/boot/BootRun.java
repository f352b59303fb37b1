package io.margay.spring.boot;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/// Runs applications as `main` would, at free ports of this machine.
final class BootRun {
    private static final String EXCLUDE = "spring.autoconfigure.exclude=";

    /// Where the actuator of an application on Tomcat is served, which is here for comparisons.
    private static final String TOMCATS =
            "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
                    + "TomcatServletManagementContextAutoConfiguration,"
                    + "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
                    + "TomcatReactiveManagementContextAutoConfiguration";

    private BootRun() {}

    /// @param properties as `name=value`
    static ConfigurableApplicationContext run(
            Class<?> type, WebApplicationType kind, String... properties) {
        return run(new SpringApplication(type), kind, properties);
    }

    static ConfigurableApplicationContext run(
            SpringApplication application, WebApplicationType kind, String... properties) {
        application.setWebApplicationType(kind);
        application.setRegisterShutdownHook(false);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--server.address=127.0.0.1",
                                "--spring.main.banner-mode=off",
                                "--logging.level.root=off"));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        if (arguments.stream().noneMatch(one -> one.startsWith("--" + EXCLUDE))) {
            arguments.add("--" + EXCLUDE + TOMCATS);
        }
        if (arguments.stream().noneMatch(one -> one.startsWith("--server.port="))) {
            arguments.add("--server.port=0");
        }
        return application.run(arguments.toArray(new String[0]));
    }

    static int port(ConfigurableApplicationContext context) {
        return ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    static HttpResponse<String> get(HttpClient client, String uri, String... fields)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri));
        if (fields.length > 0) {
            request.headers(fields);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
